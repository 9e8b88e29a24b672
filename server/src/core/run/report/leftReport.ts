// The sections of a night's report about changes that are no longer on a branch.

import { codeSpan, md, type Insertable } from '../../../protocol/markdown.ts';
import { NO_REASON } from '../../model/skippedPlaces.ts';
import type { Night } from '../nightTypes.ts';

/** The commit of a change that is on no branch: only a ref of Selfware keeps it. */
export interface KeptCommit {
  /** The branch of its night. */
  readonly night: string;
  readonly proposal: string;
  readonly commit: string;
  readonly title: string;
  /** The reason why it was left; null if that is unknown. */
  readonly reason: string | null;
  /** True if no check has refused it on another commit, and no conflict of it is known. */
  readonly isUntried: boolean;
}

/** The section about the changes of this night that are no longer on its branch; empty if there are none. */
export function createLeftSection({ left }: Pick<Night, 'left'>): readonly Insertable[] {
  return left.length === 0 ? [] : [md`## No longer on the branch`, '', ...left.map(describeLeft), ''];
}

function describeLeft({ title, reason, commit }: Night['left'][number]): Insertable {
  if (commit === undefined) return md`- **${title}**: ${reason}`;
  const id = commit.slice(0, 12);
  return md`- **${title}**: ${reason} Look at it: ${codeSpan(`git show ${id}`)}. Take it: ${codeSpan(`git cherry-pick ${id}`)}`;
}

/**
 * The section about the changes of other nights that are on no branch, each with the reason; empty if there are none.
 */
export function createKeptSection(kept: readonly KeptCommit[]): readonly Insertable[] {
  if (kept.length === 0) return [];
  const pickCommand = cherryPickCommand(kept);
  return [
    md`## Changes of other nights that are on no branch`,
    '',
    ...kept.map(
      ({ title, night, commit, reason }) =>
        md`- **${title}** of ${night}: ${reason ?? NO_REASON} ${codeSpan(`git show ${commit.slice(0, 12)}`)}`,
    ),
    '',
    ...(pickCommand === null ? [] : [md`Take what was neither refused nor in conflict: ${codeSpan(pickCommand)}`, '']),
  ];
}

/**
 * The command that applies the commits to the checked-out branch, in their order, without those that were refused or in
 * conflict; null if no commit remains.
 */
export function cherryPickCommand(kept: readonly KeptCommit[]): string | null {
  const untriedCommits = kept.filter(({ isUntried }) => isUntried);
  return untriedCommits.length === 0
    ? null
    : `git cherry-pick ${untriedCommits.map(({ commit }) => commit.slice(0, 12)).join(' ')}`;
}
