// Decisions on the changes of a night, as texts and choices. Plain data in and out.

import type { NightChangeState, NightSummary } from '#protocol/nights';
import { counted } from '../counted.ts';

/** A change in a list in which several can be ticked. */
export interface ChangeItem {
  readonly label: string;
  readonly description: string;
  readonly detail: string;
  readonly picked: boolean;
  readonly id: string;
}

const PLACE_TEXTS: Readonly<Record<NightChangeState['place'], string>> = {
  onBranch: 'on the branch',
  held: 'held: its proposer is not trusted',
  asks: 'waits for you, not on the branch',
};

/** The changes as items of a list. Held ones are not ticked, because they have to be named. `picks`: all others are. */
export function changeItems(open: readonly NightChangeState[], picks: boolean): readonly ChangeItem[] {
  return open.map(({ id, number, title, detail, place }) => ({
    id,
    label: `${number}. ${title}`,
    description: PLACE_TEXTS[place],
    detail,
    picked: picks && place === 'onBranch',
  }));
}

/** A way to take changes. */
export interface TakeChoice {
  readonly label: string;
  readonly detail: string;
  readonly apply: boolean;
}

/** The two ways to take `count` changes, with what each of them does. */
export function takeChoices(count: number): readonly TakeChoice[] {
  const them = count === 1 ? 'it' : 'each of them';
  return [
    {
      label: count === 1 ? '$(diff) Review It' : '$(diff) Review Each',
      detail: `You read ${them} as a diff and decide there. Nothing is written to your files before.`,
      apply: false,
    },
    {
      label: count === 1 ? '$(check) Apply It Now' : `$(check-all) Apply All ${count} Now`,
      detail: `Merges ${them} with your files as they are now, checks it there, and keeps a checkpoint to roll back to.`,
      apply: true,
    },
  ];
}

/** A question before something is done. */
export interface Question {
  readonly message: string;
  readonly detail: string;
}

/** The question before changes are taken out of the branch, or the whole branch is deleted. */
export function dropQuestion(
  { branch, changes }: Pick<NightSummary, 'branch' | 'changes'>,
  chosen: readonly NightChangeState[],
  isWhole: boolean,
): Question {
  const files = 'Your files stay as they are.';
  if (isWhole)
    return {
      message: `Drop the night on ${branch}?`,
      detail: `The branch is deleted, and its changes are not proposed again. ${files}`,
    };
  const onBranch = chosen.filter(({ place }) => place !== 'asks').length;
  const remaining = changes - onBranch;
  const rest =
    onBranch === 0
      ? 'The branch stays as it is.'
      : remaining <= 0
        ? 'No change is left on the branch then.'
        : `The ${remaining === 1 ? 'other change is' : `${remaining} other changes are`} checked again without ` +
          `${onBranch === 1 ? 'it' : 'them'}, which may take minutes; what then fails leaves the branch, too.`;
  return {
    message: `Take ${counted(chosen.length, 'change')} out of ${branch}?`,
    detail:
      `${chosen.map(({ number, title }) => `${number}. ${title}`).join('\n')}\n\n` +
      `${rest} What you take out is not proposed again. ${files}`,
  };
}

/** The question before the branch becomes one commit. */
export function squashQuestion({ branch, changes }: Pick<NightSummary, 'branch' | 'changes'>): Question {
  return {
    message: `Make ${branch} one commit?`,
    detail:
      `Its ${counted(changes, 'change')} become one commit with the same files. Afterwards, single changes can no ` +
      'longer be taken out of it. Your files, your branch and the index stay as they are.',
  };
}

/** The question before the branch is pushed. */
export function pullRequestQuestion({ branch, changes }: Pick<NightSummary, 'branch' | 'changes'>): Question {
  return {
    message: `Push ${branch} and open a pull request?`,
    detail:
      `The branch with ${counted(changes, 'change')} is pushed to your remote, and the pull request has the report as ` +
      'its text, both with your own git and gh. Everybody who can read that repository sees it. A pushed branch is ' +
      'not rewritten any more. Your files stay as they are.',
  };
}
