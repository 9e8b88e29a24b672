// Composes the text of the status bar item from the state. Does not use VS Code's API.

import type { Activity, SidebarState } from '#protocol/state';
import type { ServerLife } from '../server/languageClient.ts';
import { formatCount, formatNumber } from '../counted.ts';
import { countWaitingForPerson } from '../requests/requestText.ts';

/** The content of the status bar item. `isProminent`: true if something waits for the person. */
export interface StatusText {
  readonly text: string;
  readonly tooltip: string;
  readonly isProminent: boolean;
}

/** The words for the activities in progress. */
const ACTIVITY_LABELS: Readonly<Record<Exclude<Activity, 'idle' | 'stopped'>, string>> = {
  indexing: 'Indexing',
  analysing: 'Analysing',
  searching: 'Searching',
  proposing: 'Proposing',
  verifying: 'Verifying',
  applying: 'Applying',
};

/** True for activities that a person waits for; their text includes the elapsed time. */
export function isForegroundActivity({ activity }: Pick<SidebarState, 'activity'>): boolean {
  return activity === 'searching' || activity === 'proposing' || activity === 'verifying' || activity === 'applying';
}

/** A duration such as `1 min 5 s`. */
export function formatElapsed(millis: number): string {
  const seconds = Math.floor(millis / 1000);
  return seconds < 60 ? `${seconds} s` : `${Math.floor(seconds / 60)} min ${seconds % 60} s`;
}

/**
 * The content of the status bar item. `failure`: the sentence about the last request to the server, if it failed.
 * `waitedMs`: how long the person has waited for the running work, in milliseconds.
 */
export function composeStatus(
  state: SidebarState | null,
  failure: string | null,
  life: ServerLife = 'running',
  waitedMs = 0,
): StatusText {
  if (life === 'restarting')
    return {
      text: '$(sync~spin) Selfware restarting',
      tooltip: 'The language server has stopped and is being restarted.',
      isProminent: false,
    };
  if (life === 'gone')
    return {
      text: '$(error) Selfware',
      tooltip: failure ?? 'The language server has stopped. Restart it from this menu.',
      isProminent: false,
    };
  if (failure) return { text: '$(error) Selfware', tooltip: failure, isProminent: false };
  if (!state) return { text: '$(loading~spin) Selfware', tooltip: 'Selfware is starting.', isProminent: false };
  if (state.folder === '')
    return {
      text: '$(sparkle) Selfware',
      tooltip: 'No folder is open. Selfware works on a repository.',
      isProminent: false,
    };
  const { waiting } = state;
  const needingCount = countWaitingForPerson(state);
  // `folders` is empty unless there are several.
  const folder = state.folders.find(({ uri }) => uri === state.folder)?.name;
  const facts = [
    folder ? `Folder ${folder}` : null,
    state.points
      ? `${formatPoints(state.points.total)} of ${formatPoints(state.points.max)} points`
      : state.doable.analysed
        ? 'No points: there is nothing here that can be scored'
        : 'Points are not known yet',
    state.indexingPaused ? 'Indexing is paused' : null,
    state.doable.analysed
      ? `${formatCount(state.opportunityCount, 'opportunity', 'opportunities')}${state.doable.more === null ? '' : `, ${state.doable.more}`}`
      : null,
    state.doable.analysed && state.trusted ? state.doable.improve : null,
    waiting ? `${formatCount(waiting, 'proposal waits', 'proposals wait')} for your decision` : null,
    needingCount ? `${formatCount(needingCount, 'task needs', 'tasks need')} you` : null,
    state.night?.line ?? null,
    state.trusted ? null : 'Restricted mode: only indexing and analysis run',
  ];
  return {
    text: [
      `${chooseIcon(state)} ${folder ? `${folder}: ` : ''}${composeLabel(state, waitedMs)}`,
      ...(waiting ? [`$(git-pull-request) ${formatNumber(waiting)} to decide`] : []),
      ...(needingCount ? [`$(comment-discussion) ${formatCount(needingCount, 'needs', 'need')} you`] : []),
    ].join(' '),
    tooltip: facts.filter((fact) => fact !== null).join('\n'),
    isProminent: waiting + needingCount > 0,
  };
}

/** Points with at most one decimal, such as 61, 61.4 or 1,000. */
export function formatPoints(value: number): string {
  return formatNumber(Math.round(value * 10) / 10);
}

/** The activity with its progress or its duration; when idle, the points. */
function composeLabel(state: SidebarState, waitedMs: number): string {
  if (state.activity === 'stopped') return 'Selfware stopped';
  if (state.activity === 'indexing' && state.progress?.finishing) return 'Finishing the index';
  if (isForegroundActivity(state) && state.activity !== 'idle')
    return `${ACTIVITY_LABELS[state.activity]} ${formatElapsed(waitedMs)}`;
  if (state.activity !== 'idle') return `${ACTIVITY_LABELS[state.activity]}${formatProgress(state)}`;
  if (state.indexingPaused) return 'Indexing paused';
  if (!state.trusted) return 'Selfware restricted';
  return state.points ? `${formatPoints(state.points.total)} points` : 'Selfware';
}

function chooseIcon(state: SidebarState): string {
  if (state.activity === 'stopped') return '$(circle-slash)';
  if (state.activity !== 'idle') return '$(sync~spin)';
  if (state.indexingPaused) return '$(debug-pause)';
  return state.trusted ? '$(sparkle)' : '$(shield)';
}

function formatProgress({ progress }: SidebarState): string {
  return !progress || progress.done === 0 || progress.total === null
    ? ''
    : ` ${formatNumber(progress.done)} of ${formatNumber(progress.total)}`;
}
