// Makes the texts and choices for requests and tasks that wait for a person. Does not use VS Code's API.

import { MAX_WISH_LENGTH } from '#protocol/nights';
import { requestNeedsPerson, type FailedAttempts, type RequestState, type WaitingTask } from '#protocol/requests';
import type { SidebarState } from '#protocol/state';
import { formatCount } from '../counted.ts';

/** Something that a person can do about a request or a task that waits. */
export type RequestAction = 'goOn' | 'goOnWithout' | 'writeTest' | 'otherTest' | 'correct' | 'retry' | 'drop';
/** A way to correct a request or task whose attempts have failed, before a model is asked again. */
export type CorrectionChoice = 'rule' | 'words' | 'otherTest' | 'otherProposer' | 'retry' | 'drop';

/** A request or a task in a list. */
export type RequestEntry = { readonly request: RequestState } | { readonly task: WaitingTask };

/** An entry in a list of VS Code, and the value that a person chooses with it. */
export interface PickChoice<T> {
  readonly label: string;
  readonly detail: string;
  readonly value: T;
}

/** A server command that has not ended. */
export interface RunningCommand {
  readonly command: string;
  readonly params: object;
}

type WaitingLists = Pick<SidebarState, 'requests' | 'waitingTasks'>;
type CountedState = WaitingLists & Pick<SidebarState, 'night' | 'furtherRequests'>;

/** Number of requests, tasks and unattended runs that wait for the person. */
export function countWaitingForPerson({
  requests = [],
  waitingTasks = [],
  furtherRequests,
  night,
}: CountedState): number {
  const nights = night?.state === 'needsPerson' ? 1 : 0;
  return requests.filter(requestNeedsPerson).length + waitingTasks.length + (furtherRequests?.needing ?? 0) + nights;
}

/** All requests and tasks; those that need the person come first. */
export function listEntries({ requests = [], waitingTasks = [] }: WaitingLists): readonly RequestEntry[] {
  const needingRequests = requests.filter(requestNeedsPerson);
  const otherRequests = requests.filter((request) => !requestNeedsPerson(request));
  return [
    ...waitingTasks.map((task) => ({ task })),
    ...[...needingRequests, ...otherRequests].map((request) => ({ request })),
  ];
}

/**
 * An entry that needs the person, with a sentence about it. `key` changes with each new failure, so that it is
 * announced again.
 */
export interface WaitingEntry {
  readonly key: string;
  readonly sentence: string;
  readonly entry: RequestEntry;
}

/** Lists the tasks and requests that need the person. */
export function listWaitingEntries({ requests = [], waitingTasks = [] }: WaitingLists): readonly WaitingEntry[] {
  return [
    ...waitingTasks.map((task) => ({
      key: `${task.task} ${task.attempts}`,
      sentence: `${task.name} waits for you: ${formatCount(task.attempts, 'attempt')} failed.`,
      entry: { task },
    })),
    ...requests.filter(requestNeedsPerson).map((request) => ({
      key: `${request.id} ${request.failed?.attempts ?? 'test'}`,
      sentence: composeSentence(request),
      entry: { request },
    })),
  ];
}

/**
 * The sentences about entries that have not been announced yet. `announced`: the keys of announced entries; null before
 * the first notification of a window, which announces all. `runningCommands`: commands in progress; the entries that
 * they are about are left out, because these commands report their own outcome.
 */
export function findSentencesToAnnounce(
  waitingEntries: readonly WaitingEntry[],
  announced: ReadonlySet<string> | null,
  runningCommands: readonly RunningCommand[],
): readonly string[] {
  if (announced === null) return waitingEntries.map(({ sentence }) => sentence);
  const entriesToAnnounce = waitingEntries.filter(
    ({ key, entry }) => !announced.has(key) && !runningCommands.some((command) => isAbout(entry, command)),
  );
  return entriesToAnnounce.map(({ sentence }) => sentence);
}

/** True if the command asks a model or agent about this entry, and so reports the outcome itself. */
function isAbout(entry: RequestEntry, { command, params }: RunningCommand): boolean {
  if ('request' in entry) return 'wish' in params && params.wish === entry.request.id;
  if (command !== 'improveWithModel' || 'wish' in params) return false;
  const { retry } = entry.task;
  const { opportunity, words, tests } = params as Readonly<Record<string, unknown>>;
  // A command that names no task asks about the most valuable one, which may be any entry.
  if (opportunity === undefined && words === undefined && tests === undefined) return true;
  if (retry === null) return false;
  if ('opportunity' in retry) return retry.opportunity === opportunity;
  if ('words' in retry) return retry.words === (typeof words === 'string' ? words.trim() : words);
  return typeof tests === 'string' && decodeURIComponent(tests).endsWith(`/${retry.tests}`);
}

/** One line about the state of a request. */
function composeSentence({ words, noTest, failed, isRunning, test }: RequestState): string {
  const name = `“${shortenToFirstLine(words)}”`;
  if (isRunning) return `A model or agent is asked for ${name} now.`;
  if (failed) return `${name} waits for you: ${formatCount(failed.attempts, 'attempt')} failed.`;
  if (noTest !== null) return `No acceptance test could be made for ${name}. It waits for you.`;
  return test === 'open'
    ? `${name} has no acceptance test yet.`
    : `${name} waits until a model or agent is asked for it.`;
}

/** The effect of dropping a request, as a sentence. */
export const DROP_EXPLANATION = 'No model or agent is asked about it, not even during a night.';

/** The reason why typed words cannot be a request, as a sentence; null if they can. */
export function explainRequestProblem(typedWords: string): string | null {
  const { length } = typedWords.trim();
  if (length === 0) return 'Say what you want, or press Escape.';
  return length > MAX_WISH_LENGTH ? `At most ${MAX_WISH_LENGTH} characters, and this has ${length}.` : null;
}

/** The first line of a request, with an ellipsis if further lines are not blank. */
export function shortenToFirstLine(words: string): string {
  const [firstLineText = '', ...otherLines] = words.split('\n');
  return otherLines.some((line) => line.trim() !== '') ? `${firstLineText} …` : firstLineText;
}

/** An entry as an item of a list. */
export function createEntryItem(entry: RequestEntry): PickChoice<RequestEntry> {
  if ('task' in entry) {
    const { name, attempts, learned } = entry.task;
    return {
      label: `$(warning) ${name}`,
      detail: `${formatCount(attempts, 'attempt')} failed. ${learned.join(' ')}`,
      value: entry,
    };
  }
  const { request } = entry;
  const reason = request.failed?.learned.join(' ') ?? request.noTest ?? '';
  const iconName = requestNeedsPerson(request) ? 'warning' : request.isRunning ? 'sync' : 'comment-discussion';
  return {
    label: `$(${iconName}) ${shortenToFirstLine(request.words)}`,
    detail: `${composeSentence(request)} ${reason}`.trim(),
    value: entry,
  };
}

/** The actions that are possible for a request now, the usual one first. Empty while a model is asked. */
export function listRequestChoices(request: RequestState): readonly PickChoice<RequestAction>[] {
  if (request.isRunning) return [];
  const dropChoice: PickChoice<RequestAction> = {
    label: '$(trash) Drop It',
    detail: DROP_EXPLANATION,
    value: 'drop',
  };
  if (request.failed)
    return [
      { label: '$(tools) Correct…', detail: 'A rule, other words, another test or another model.', value: 'correct' },
      { label: '$(debug-restart) Try Again', detail: 'Asks the same again; attempts count from zero.', value: 'retry' },
      dropChoice,
    ];
  if (request.noTest !== null)
    return [
      { label: '$(beaker) Write a Test…', detail: 'You write the test that shows what you want.', value: 'writeTest' },
      {
        label: '$(play) Continue Without a Test',
        detail: 'The answer brings its own test. Nothing is written to your files before you have reviewed it.',
        value: 'goOnWithout',
      },
      {
        label: '$(sync) Have Another Test Written',
        detail: 'Asks for a test once more, from zero.',
        value: 'otherTest',
      },
      dropChoice,
    ];
  return [
    {
      label: '$(play) Continue…',
      detail: 'Agrees on the test if there is none, then asks for the change.',
      value: 'goOn',
    },
    dropChoice,
  ];
}

/**
 * The ways to correct a failed request or task. `corrections`: advice of the server, each with the kind of correction
 * as its prefix, such as `Rule: …`; it becomes the detail of that way.
 */
export function listCorrections(
  { corrections }: Pick<FailedAttempts, 'corrections'>,
  { hasWords, hasTest }: { readonly hasWords: boolean; readonly hasTest: boolean },
): readonly PickChoice<CorrectionChoice>[] {
  const adviceOf = (kind: string, defaultAdvice: string) =>
    corrections
      .filter((correction) => correction.startsWith(`${kind}: `))
      .map((correction) => capitalise(correction.slice(kind.length + 2)))
      .join(' ') || defaultAdvice;
  const choices: (PickChoice<CorrectionChoice> | false)[] = [
    {
      label: '$(law) Add a Rule…',
      detail: adviceOf('Rule', 'A sentence that every later question will include.'),
      value: 'rule',
    },
    hasWords && {
      label: '$(edit) Say It in Other Words…',
      detail: adviceOf('Context', 'The new words replace the old ones.'),
      value: 'words',
    },
    hasTest && {
      label: '$(beaker) Have Another Acceptance Test Written…',
      detail: 'You read it first, as before.',
      value: 'otherTest',
    },
    {
      label: '$(account) Ask Another Model or Agent…',
      detail: adviceOf('Tool', 'You choose which one.'),
      value: 'otherProposer',
    },
    {
      label: '$(debug-restart) Try Again As It Is',
      detail: 'Attempts count from zero, and what was refused before may be answered again.',
      value: 'retry',
    },
    { label: '$(trash) Drop It', detail: DROP_EXPLANATION, value: 'drop' },
  ];
  return choices.filter((choice) => choice !== false);
}

function capitalise(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1);
}
