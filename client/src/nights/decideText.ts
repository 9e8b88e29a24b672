// Makes the texts and choices for decisions on the changes of a night (an unattended run). Does not use VS Code's API.

import type { DecideNightParams, NightChangeState, NightSummary } from '#protocol/nights';
import { formatCount } from '../counted.ts';

/** A change in a list in which several can be ticked. */
export interface ChangeItem {
  readonly label: string;
  readonly description: string;
  readonly detail: string;
  readonly picked: boolean;
  readonly id: string;
}

/**
 * Where a change of the night is, in words. A change is held if its proposer has “solved” a task that cannot be solved,
 * or if it came after such a change.
 */
const PLACE_TEXTS: Readonly<Record<NightChangeState['place'], string>> = {
  onBranch: 'on the branch',
  held: 'held: its proposer is not trusted',
  parked: 'held: its proposer is not trusted; taken off the branch',
  asks: 'waits for you, not on the branch',
};

/**
 * The changes as items of a list. `ticksByDefault`: true to tick the changes on the branch in advance; the others are
 * never ticked in advance, because the person has to choose each of them.
 */
export function createChangeItems(
  openChanges: readonly NightChangeState[],
  ticksByDefault: boolean,
): readonly ChangeItem[] {
  return openChanges.map(({ id, number, title, detail, place }) => ({
    id,
    label: `${number}. ${title}`,
    description: PLACE_TEXTS[place],
    detail,
    picked: ticksByDefault && place === 'onBranch',
  }));
}

/** The hint above the list in which changes are ticked. `count`: the number of changes in the list. */
export function composeTickHint(
  { line, furtherOpen = 0 }: Pick<NightSummary, 'line' | 'furtherOpen'>,
  count: number,
): string {
  const furtherText =
    furtherOpen === 0 ? '' : `These are the first ${count}; ${furtherOpen} more follow once they are decided.`;
  return ['Tick the changes.', line ?? '', furtherText].filter(Boolean).join(' ');
}

/**
 * The parameters of a decision on the chosen changes. They always list the changes: without a list, the server would
 * decide on every change of the night, including those that the person has not seen or not chosen.
 */
export function decisionParamsOf(
  { branch }: Pick<NightSummary, 'branch'>,
  chosenChanges: readonly NightChangeState[],
): DecideNightParams {
  return { night: branch, changes: chosenChanges.map(({ id }) => id) };
}

/** A way to take changes. */
export interface TakeChoice {
  readonly label: string;
  readonly detail: string;
  readonly apply: boolean;
}

/** The two ways to take `count` changes, with what each of them does. */
export function listTakeChoices(count: number): readonly TakeChoice[] {
  const them = count === 1 ? 'it' : 'each of them';
  return [
    {
      label: count === 1 ? '$(diff) Review It' : '$(diff) Review Each',
      detail: `You read ${them} as a diff and decide there. Nothing is written to your files before.`,
      apply: false,
    },
    {
      label: count === 1 ? '$(check) Apply It Now' : `$(check-all) Apply These ${count} Now`,
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

/** A way to drop changes: those that the person ticks, or everything. */
export interface DropChoice {
  readonly label: string;
  readonly detail: string;
  readonly isWhole: boolean;
}

/** The ways to drop changes of a night, with what each of them does. Empty if nothing is left to drop. */
export function listDropChoices(night: DroppableNight): readonly DropChoice[] {
  const { changes, decided, open = [], furtherOpen = 0 } = night;
  const choices: DropChoice[] = [];
  const [firstOpen] = open;
  const isOnlyOne = open.length === 1 && furtherOpen === 0 && changes === 1 && firstOpen?.place !== 'asks';
  // Single changes cannot be taken out of a squashed branch; and if there is only one change, it is the whole night.
  if (open.length > 0 && decided !== 'squashed' && !isOnlyOne)
    choices.push({
      label: '$(list-selection) Take Out Single Changes…',
      detail: 'You tick the changes. The others stay, and are checked again without them.',
      isWhole: false,
    });
  if (changes > 0)
    choices.push({ label: '$(trash) Drop the Whole Night…', detail: describeWholeDrop(night), isWhole: true });
  return choices;
}

/** The question before the whole branch is deleted. */
export function composeDropAllQuestion(night: DroppableNight & Pick<NightSummary, 'branch'>): Question {
  return {
    message: `Drop the night on ${night.branch}?`,
    detail: `${describeWholeDrop(night)} Your files stay as they are.`,
  };
}

type DroppableNight = Pick<NightSummary, 'changes' | 'decided' | 'open' | 'furtherOpen'>;

/** The sentences about the effect of dropping the whole night. */
function describeWholeDrop({ changes, open = [], furtherOpen = 0 }: DroppableNight): string {
  const hasOtherChanges = furtherOpen > 0 || open.some(({ place }) => !isOnBranch(place));
  const they = changes === 1 ? 'It' : 'They';
  const subject = hasOtherChanges
    ? `${they}, and what else of the night waits for you, are`
    : changes === 1
      ? 'It is'
      : 'They are';
  return `The branch is deleted with ${changes === 1 ? 'its only change' : `its ${changes} changes`}. ${subject} not proposed again.`;
}

function isOnBranch(place: NightChangeState['place']): boolean {
  return place === 'onBranch' || place === 'held';
}

/** The question before changes are taken out of the branch. */
export function composeTakeOutQuestion(
  { branch, changes }: Pick<NightSummary, 'branch' | 'changes'>,
  chosenChanges: readonly NightChangeState[],
): Question {
  const countOnBranch = chosenChanges.filter(({ place }) => isOnBranch(place)).length;
  const remainingCount = changes - countOnBranch;
  const remainingText =
    countOnBranch === 0
      ? 'The branch stays as it is.'
      : remainingCount <= 0
        ? 'No change is left on the branch then.'
        : `The ${remainingCount === 1 ? 'other change is' : `${remainingCount} other changes are`} checked again without ` +
          `${countOnBranch === 1 ? 'it' : 'them'}, which may take minutes; what then fails leaves the branch, too.`;
  return {
    message: `Take ${formatCount(chosenChanges.length, 'change')} out of ${branch}?`,
    detail:
      `${chosenChanges.map(({ number, title }) => `${number}. ${title}`).join('\n')}\n\n` +
      `${remainingText} What you take out is not proposed again. Your files stay as they are.`,
  };
}

/** The question before the branch becomes one commit. */
export function composeSquashQuestion({ branch, changes }: Pick<NightSummary, 'branch' | 'changes'>): Question {
  return {
    message: `Make ${branch} one commit?`,
    detail:
      `Its ${formatCount(changes, 'change')} become one commit with the same files. Afterwards, single changes can no ` +
      'longer be taken out of it. Your files, your branch and the index stay as they are.',
  };
}

/** The question before the branch is pushed. */
export function composePullRequestQuestion({ branch, changes }: Pick<NightSummary, 'branch' | 'changes'>): Question {
  return {
    message: `Push ${branch} and open a pull request?`,
    detail:
      `The branch with ${formatCount(changes, 'change')} is pushed to your remote, and the pull request has the report as ` +
      'its text, both with your own git and gh. Everybody who can read that repository sees it. A pushed branch is ' +
      'no longer rewritten. Your files stay as they are.',
  };
}
