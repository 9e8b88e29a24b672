// Composes the question that Stop asks before it ends running work: what runs, and what would be lost. Does not use VS
// Code's API.

import { isNightRunning } from './nights/nightText.ts';
import { formatNumber } from './counted.ts';
import type { Activity, ProposalState, SidebarState } from '#protocol/state';

/** The parts of the dialog that asks before work is stopped. */
export interface StopQuestion {
  readonly message: string;
  readonly detail: string;
}

type RunningState = Pick<SidebarState, 'activity' | 'making' | 'progress' | 'night'>;

/** The effect of Stop on an unattended run. */
const UNATTENDED_TEXT =
  'The unattended run ends. What it has committed is kept; what the checks have found for its current change is lost.';

/** True if there is work to stop. */
export function hasRunningWork({ activity, night }: Pick<SidebarState, 'activity' | 'night'>): boolean {
  return (activity !== 'idle' && activity !== 'stopped') || isNightRunning(night);
}

/** The question before stopping; null if nothing runs. `now`: milliseconds since the epoch. */
export function composeStopQuestion(state: RunningState, now: number): StopQuestion | null {
  const lossSentences = [
    LOSS_BY_ACTIVITY[state.activity]?.(state, now),
    isNightRunning(state.night) ? UNATTENDED_TEXT : undefined,
  ];
  const lossText = lossSentences.filter((sentence) => sentence !== undefined).join(' ');
  if (lossText === '') return null;
  const resumeText = 'Until you press Resume nothing runs and nothing is applied, not even after a restart.';
  return { message: 'Stop what Selfware is doing?', detail: `${lossText}\n\n${resumeText}` };
}

/** Makes the sentence about the work that Stop would lose in one activity. */
type DescribeLoss = (state: RunningState, now: number) => string;

const describeProposing: DescribeLoss = ({ making }, now) => {
  const [firstProposal, ...otherParts] = making;
  if (!firstProposal) return 'A proposal is being made. What was found for it so far is lost.';
  const otherText = otherParts.length > 0 ? `, and ${otherParts.length} more` : '';
  return `“${firstProposal.title}” is being checked${formatDuration(firstProposal, now)}${otherText}. What the checks have found so far is lost.`;
};
const describeChecking: DescribeLoss = (state, now) =>
  state.making.length > 0 ? describeProposing(state, now) : 'Checks are running. What they have found so far is lost.';
const describeReading: DescribeLoss = ({ progress }) => {
  const filesText =
    progress && progress.total !== null && progress.done > 0
      ? ` (${formatNumber(progress.done)} of ${formatNumber(progress.total)})`
      : '';
  return `The repository is being read${filesText}. What was read so far is kept; the rest is read after Resume.`;
};
const describeSearching: DescribeLoss = () => 'A search runs your tests. What it has found so far may be lost.';
const describeApplying: DescribeLoss = () =>
  'A change is being applied. Your files end up as before it or as after it, never between.';

/** The function that describes the loss, by activity; absent for activities in which nothing is running. */
const LOSS_BY_ACTIVITY: Readonly<Partial<Record<Activity, DescribeLoss>>> = {
  proposing: describeProposing,
  verifying: describeChecking,
  indexing: describeReading,
  analysing: describeReading,
  searching: describeSearching,
  applying: describeApplying,
};

function formatDuration({ createdAt }: ProposalState, now: number): string {
  const minutes = Math.floor((now - createdAt) / 60_000);
  return minutes < 1 ? '' : ` for ${minutes} min now`;
}
