// The parts of a night's report about work that is on other branches or on none.

import { code, md, type Insertable } from '../../../protocol/markdown.ts';
import type { Night } from '../nightTypes.ts';

/** The commit of a change that is on no branch: only a ref keeps it. */
export interface KeptCommit {
  /** The branch of its night. */
  readonly night: string;
  readonly proposal: string;
  readonly commit: string;
  readonly title: string;
}

/** The changes of this night that are no longer on its branch. */
export function leftSection({ left }: Pick<Night, 'left'>): readonly Insertable[] {
  return left.length === 0 ? [] : [md`## No longer on the branch`, '', ...left.map(describeLeft), ''];
}

function describeLeft({ title, reason, commit }: Night['left'][number]): Insertable {
  if (commit === undefined) return md`- **${title}**: ${reason}`;
  const id = commit.slice(0, 12);
  return md`- **${title}**: ${reason} Look at it: ${code(`git show ${id}`)}. Take it: ${code(`git cherry-pick ${id}`)}`;
}

/** The changes of other nights that are on no branch, with one command that takes them all. */
export function keptSection(kept: readonly KeptCommit[]): readonly Insertable[] {
  if (kept.length === 0) return [];
  return [
    md`## Changes of other nights that are on no branch`,
    '',
    ...kept.map(
      ({ title, night, commit }) => md`- **${title}** of ${night}: ${code(`git show ${commit.slice(0, 12)}`)}`,
    ),
    '',
    md`Take ${kept.length === 1 ? 'it' : 'them'}: ${code(takeCommand(kept))}`,
    '',
  ];
}

/** The command that takes these commits into the checked-out branch, in their order. */
export function takeCommand(kept: readonly KeptCommit[]): string {
  return `git cherry-pick ${kept.map(({ commit }) => commit.slice(0, 12)).join(' ')}`;
}
