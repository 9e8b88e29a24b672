// Lists the requests of a person in words, and the tasks of models and agents that wait for a person.

import type { FailedAttempts, FurtherRequests, RequestState, WaitingTask } from '#protocol/requests';
import type { WaitingWish } from '#protocol/nights';
import type { AskedTask, FailedTask, Intervention } from '../../core/model/asks.ts';
import { isPostponed, readWishes, type Wish } from '../../core/run/wishes.ts';
import { formatTaskName } from '../../core/session/ask/interventionTexts.ts';
import { taskId } from '../../core/session/ask/taskId.ts';
import type { Session } from '../../core/session.ts';
import type { Notice } from '../../core/model.ts';
import { SelfwareError } from '../../util/typedError.ts';
import { shorten, escapeInvisible, escapeInvisibleLine } from '../../util/visible.ts';
import type { Repository, ServerContext } from '../serverContext.ts';

/** Maximum number of entries of each kind. */
const MAX_ENTRIES = 10;
/** Maximum number of characters of the reason of one attempt. */
const MAX_REASON_CHARACTERS = 200;
/** Kinds of tasks that only a night or a migration asks about, which a person does not start again in an editor. */
const NOT_LISTED: ReadonlySet<AskedTask['kind']> = new Set(['acceptance', 'canary', 'migration']);

type Describing = Pick<Session['failedTasks'], 'describe'>;

/** The requests and the tasks that wait. */
export interface RequestLists {
  readonly requests: readonly RequestState[];
  readonly waitingTasks: readonly WaitingTask[];
  /** Those that are not listed. */
  readonly further: FurtherRequests;
}

/**
 * Reads both lists from the ledger: requests that need the person first, then the newest; tasks newest first. A request
 * that waits is not listed a second time as a task. A task about an opportunity is only listed if `isShown`.
 */
export async function listRequests(
  { ledger, proposals, failedTasks }: Pick<Session, 'ledger' | 'proposals' | 'failedTasks'>,
  isShown: (opportunity: string) => boolean,
): Promise<RequestLists> {
  const tasks = await failedTasks.all();
  const failedById = mapById(tasks);
  const wishes = await readWishes({ query: (filter) => ledger.query(filter), proposals: () => proposals.all() });
  const waiting = selectTasksToShow(tasks, wishes, isShown);
  const needsPerson = (wish: Wish) => Object.values(findFailures(wish, failedById)).some((failure) => failure);
  const [needing, otherWishes] = [wishes.filter(needsPerson), wishes.filter((wish) => !needsPerson(wish))];
  const listedWishes = [...needing.toSorted(compareAges), ...otherWishes.toSorted(compareAges)].slice(0, MAX_ENTRIES);
  const listedTasks = waiting.slice(0, MAX_ENTRIES);
  const furtherTasks = waiting.length - listedTasks.length;
  return {
    requests: await Promise.all(listedWishes.map((wish) => requestState(failedTasks, wish, failedById))),
    waitingTasks: await Promise.all(listedTasks.map((failedTask) => createWaitingTask(failedTasks, failedTask))),
    further: {
      count: wishes.length - listedWishes.length + furtherTasks,
      needing: Math.max(0, needing.length - MAX_ENTRIES) + furtherTasks,
    },
  };
}

/** All tasks that wait for a person, in the same order. `wishes`: those that wait. */
export async function listAllTasks(
  failedTasks: Session['failedTasks'],
  wishes: readonly Wish[],
  isShown: (opportunity: string) => boolean,
): Promise<readonly WaitingTask[]> {
  const tasks = selectTasksToShow(await failedTasks.all(), wishes, isShown);
  return Promise.all(tasks.map((failedTask) => createWaitingTask(failedTasks, failedTask)));
}

/** The tasks that wait and are not about a wish, newest first. */
function selectTasksToShow(
  failedTasks: readonly FailedTask[],
  wishes: readonly Wish[],
  isShown: (opportunity: string) => boolean,
): readonly FailedTask[] {
  const idsOfWishes = new Set(wishes.map(({ text }) => taskId({ words: text })));
  // An opportunity is no longer shown once it was dismissed or its code has changed.
  const waiting = failedTasks.filter(
    ({ waits, task }) =>
      waits &&
      !NOT_LISTED.has(task.kind) &&
      !idsOfWishes.has(task.id) &&
      (task.kind !== 'opportunity' || task.opportunity === null || isShown(task.opportunity)),
  );
  return waiting.toSorted((a, b) => b.askedAt - a.askedAt);
}

/** All wishes as requests, in the same order. */
export async function requestStates(
  failedTasks: Session['failedTasks'],
  wishes: readonly Wish[],
): Promise<readonly RequestState[]> {
  const failedById = mapById(wishes.length === 0 ? [] : await failedTasks.all());
  return Promise.all(wishes.map((wish) => requestState(failedTasks, wish, failedById)));
}

function mapById(failedTasks: readonly FailedTask[]): ReadonlyMap<string, FailedTask> {
  return new Map(failedTasks.map((failedTask) => [failedTask.task.id, failedTask]));
}

/** Orders wishes by age, the newest first. */
function compareAges(a: Wish, b: Wish): number {
  return b.at - a.at;
}

/** What failed for a wish: the attempts at its acceptance test, as long as it has none, and those at the change. */
function findFailures(
  { text, tests }: Wish,
  failedById: ReadonlyMap<string, FailedTask>,
): { readonly test: FailedTask | undefined; readonly change: FailedTask | undefined } {
  const test = tests === null ? failedById.get(taskId({ acceptance: text })) : undefined;
  return {
    // An attempt that died has no reason that could be shown.
    test: test?.answers.some(({ outcome }) => outcome !== 'spare') ? test : undefined,
    change: failedById.get(taskId({ words: text })),
  };
}

async function requestState(
  failedTasks: Describing,
  wish: Wish,
  failedById: ReadonlyMap<string, FailedTask>,
): Promise<RequestState> {
  const { test, change } = findFailures(wish, failedById);
  const noTest = test && (await failedTasks.describe(test)).tried.at(-1);
  return {
    ...waitingWish(wish),
    noTest: noTest === undefined ? null : shortReason(noTest),
    failed: change ? failedAttempts(await failedTasks.describe(change)) : null,
    isRunning: false,
  };
}

const askedNow = new WeakMap<object, ReadonlySet<string>>();

/** Runs `work`; meanwhile a model or agent is asked in this process about the wish with this id. */
export async function runWhileAsked<T>(
  { events }: Pick<ServerContext, 'events'>,
  repository: Repository,
  wish: string,
  work: () => Promise<T>,
): Promise<T> {
  const askedWishes = askedNow.get(repository) ?? new Set<string>();
  if (askedWishes.has(wish))
    throw new SelfwareError('locked', 'A model or agent is asked about this wish now.', {
      action: 'Wait, or cancel that first.',
    });
  askedNow.set(repository, new Set([...askedWishes, wish]));
  events.status.fire(repository);
  try {
    return await work();
  } finally {
    askedNow.set(repository, new Set([...(askedNow.get(repository) ?? [])].filter((id) => id !== wish)));
    events.status.fire(repository);
  }
}

/** The requests, with those marked about which this process asks a model or agent now. */
export function markRunning(repository: Repository, requests: readonly RequestState[]): readonly RequestState[] {
  const running = askedNow.get(repository);
  return requests.map((request) => (running?.has(request.id) ? { ...request, isRunning: true } : request));
}

/** True for a notice about a task that has an entry of its own in these lists. */
export function repeatsEntry(
  { message }: Pick<Notice, 'message'>,
  { requests, waitingTasks }: Omit<RequestLists, 'further'>,
): boolean {
  const names = [...waitingTasks.map(({ name }) => name), ...requests.map(({ words }) => `The request “${words}”`)];
  return names.some((name) => message.startsWith(`${name} waits for you after `));
}

/** A wish as an entry of a list. */
export function waitingWish({ id, text, tests, tries }: Wish): WaitingWish {
  const reason = tries.at(-1)?.reason ?? null;
  return {
    id,
    words: escapeInvisible(text),
    test: tests === null ? 'open' : tests.length === 0 ? 'none' : 'accepted',
    tries: tries.filter((attempt) => !isPostponed(attempt)).length,
    lastReason: reason === null ? null : escapeInvisibleLine(reason),
  };
}

async function createWaitingTask(failedTasks: Describing, failedTask: FailedTask): Promise<WaitingTask> {
  return {
    ...failedAttempts(await failedTasks.describe(failedTask)),
    name: escapeInvisibleLine(formatTaskName(failedTask.task)),
    retry: retryOf(failedTask.task),
  };
}

function failedAttempts({ task, attempts, tried, learned, corrections }: Intervention): FailedAttempts {
  return { task: task.id, attempts, tried: tried.map(shortReason), learned, corrections };
}

function shortReason(reason: string): string {
  return shorten(escapeInvisibleLine(reason), MAX_REASON_CHARACTERS);
}

/** The parameters that ask for the same again. A request whose words are not stored as a whole cannot be asked again. */
function retryOf({ kind, opportunity, path, id, words }: AskedTask): WaitingTask['retry'] {
  if (kind === 'opportunity' && opportunity !== null) return { opportunity };
  if (kind === 'tests' && path !== null) return { tests: path };
  return kind === 'request' && words !== undefined && taskId({ words }) === id ? { words } : null;
}
