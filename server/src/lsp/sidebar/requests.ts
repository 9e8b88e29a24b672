// Lists the requests in words (wishes) of a person, and the tasks of models and agents that wait for a person.

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
/** Maximum number of characters of the reason for which an attempt failed. */
const MAX_REASON_CHARACTERS = 200;
/**
 * Kinds of tasks that are parts of another command, such as an unattended run. A person cannot start them again in an
 * editor.
 */
const UNLISTED_KINDS: ReadonlySet<AskedTask['kind']> = new Set(['acceptance', 'canary', 'migration']);

type TaskDescriber = Pick<Session['failedTasks'], 'describe'>;

/** The waiting requests and tasks. */
export interface RequestLists {
  readonly requests: readonly RequestState[];
  readonly waitingTasks: readonly WaitingTask[];
  /** Counts the requests and tasks that are not listed. */
  readonly further: FurtherRequests;
}

/**
 * Reads both lists from the ledger. Requests that need the person come first; otherwise both lists begin with the
 * newest. Failed attempts at a request are not listed a second time as a task. A task about an opportunity is listed
 * only if `isShown` returns true for it.
 */
export async function listRequests(
  { ledger, proposals, failedTasks }: Pick<Session, 'ledger' | 'proposals' | 'failedTasks'>,
  isShown: (opportunity: string) => boolean,
): Promise<RequestLists> {
  const tasks = await failedTasks.all();
  const failedById = mapById(tasks);
  const wishes = await readWishes({ query: (filter) => ledger.query(filter), proposals: () => proposals.all() });
  const tasksToShow = selectTasksToShow(tasks, wishes, isShown);
  const needsPerson = (wish: Wish) => Object.values(findFailures(wish, failedById)).some((failure) => failure);
  const [needingWishes, otherWishes] = [wishes.filter(needsPerson), wishes.filter((wish) => !needsPerson(wish))];
  const listedWishes = [
    ...needingWishes.toSorted(compareNewestFirst),
    ...otherWishes.toSorted(compareNewestFirst),
  ].slice(0, MAX_ENTRIES);
  const listedTasks = tasksToShow.slice(0, MAX_ENTRIES);
  const furtherTasks = tasksToShow.length - listedTasks.length;
  return {
    requests: await Promise.all(listedWishes.map((wish) => createRequestState(failedTasks, wish, failedById))),
    waitingTasks: await Promise.all(listedTasks.map((failedTask) => createWaitingTask(failedTasks, failedTask))),
    further: {
      count: wishes.length - listedWishes.length + furtherTasks,
      needing: Math.max(0, needingWishes.length - MAX_ENTRIES) + furtherTasks,
    },
  };
}

/**
 * All tasks that wait for a person, newest first. `wishes`: the waiting wishes, whose attempts are not listed as tasks.
 */
export async function listAllTasks(
  failedTasks: Session['failedTasks'],
  wishes: readonly Wish[],
  isShown: (opportunity: string) => boolean,
): Promise<readonly WaitingTask[]> {
  const tasks = selectTasksToShow(await failedTasks.all(), wishes, isShown);
  return Promise.all(tasks.map((failedTask) => createWaitingTask(failedTasks, failedTask)));
}

/** The tasks that wait and are not attempts at a wish, newest first. */
function selectTasksToShow(
  failedTasks: readonly FailedTask[],
  wishes: readonly Wish[],
  isShown: (opportunity: string) => boolean,
): readonly FailedTask[] {
  const idsOfWishes = new Set(wishes.map(({ text }) => taskId({ words: text })));
  // An opportunity is no longer shown after it was dismissed or its code has changed; then its task does not wait.
  const waitingTasks = failedTasks.filter(
    ({ waits, task }) =>
      waits &&
      !UNLISTED_KINDS.has(task.kind) &&
      !idsOfWishes.has(task.id) &&
      (task.kind !== 'opportunity' || task.opportunity === null || isShown(task.opportunity)),
  );
  return waitingTasks.toSorted((a, b) => b.askedAt - a.askedAt);
}

/** The wishes as requests, in the same order. */
export async function createRequestStates(
  failedTasks: Session['failedTasks'],
  wishes: readonly Wish[],
): Promise<readonly RequestState[]> {
  const failedById = mapById(wishes.length === 0 ? [] : await failedTasks.all());
  return Promise.all(wishes.map((wish) => createRequestState(failedTasks, wish, failedById)));
}

function mapById(failedTasks: readonly FailedTask[]): ReadonlyMap<string, FailedTask> {
  return new Map(failedTasks.map((failedTask) => [failedTask.task.id, failedTask]));
}

/** Orders wishes by age, the newest first. */
function compareNewestFirst(a: Wish, b: Wish): number {
  return b.at - a.at;
}

/** The failed attempts at a wish: at its acceptance test, while it has none, and at its change. */
function findFailures(
  { text, tests }: Wish,
  failedById: ReadonlyMap<string, FailedTask>,
): { readonly test: FailedTask | undefined; readonly change: FailedTask | undefined } {
  const test = tests === null ? failedById.get(taskId({ acceptance: text })) : undefined;
  return {
    // An attempt that was interrupted has no reason that could be shown.
    test: test?.answers.some(({ outcome }) => outcome !== 'spare') ? test : undefined,
    change: failedById.get(taskId({ words: text })),
  };
}

/** A wish as a request, with its failed attempts. */
async function createRequestState(
  failedTasks: TaskDescriber,
  wish: Wish,
  failedById: ReadonlyMap<string, FailedTask>,
): Promise<RequestState> {
  const { test, change } = findFailures(wish, failedById);
  const noTest = test && (await failedTasks.describe(test)).tried.at(-1);
  return {
    ...createWaitingWish(wish),
    noTest: noTest === undefined ? null : shortenReason(noTest),
    failed: change ? createFailedAttempts(await failedTasks.describe(change)) : null,
    isRunning: false,
  };
}

const wishesInProgress = new WeakMap<object, ReadonlySet<string>>();

/**
 * Runs `work`, which asks a model or agent about a wish; meanwhile the wish is marked as running. `wish`: its id.
 * Throws `locked` if this process is already asking about the wish.
 */
export async function runWhileAsked<T>(
  { events }: Pick<ServerContext, 'events'>,
  repository: Repository,
  wish: string,
  work: () => Promise<T>,
): Promise<T> {
  const askedWishes = wishesInProgress.get(repository) ?? new Set<string>();
  if (askedWishes.has(wish))
    throw new SelfwareError('locked', 'A model or agent is asked about this wish now.', {
      action: 'Wait, or cancel that first.',
    });
  wishesInProgress.set(repository, new Set([...askedWishes, wish]));
  events.status.fire(repository);
  try {
    return await work();
  } finally {
    wishesInProgress.set(
      repository,
      new Set([...(wishesInProgress.get(repository) ?? [])].filter((id) => id !== wish)),
    );
    events.status.fire(repository);
  }
}

/** The requests, with `isRunning` set for those about which this process is asking a model or agent. */
export function markRunning(repository: Repository, requests: readonly RequestState[]): readonly RequestState[] {
  const runningIds = wishesInProgress.get(repository);
  return requests.map((request) => (runningIds?.has(request.id) ? { ...request, isRunning: true } : request));
}

/** True for a notice that repeats an entry of these lists. */
export function repeatsEntry(
  { message }: Pick<Notice, 'message'>,
  { requests, waitingTasks }: Omit<RequestLists, 'further'>,
): boolean {
  const names = [...waitingTasks.map(({ name }) => name), ...requests.map(({ words }) => `The request “${words}”`)];
  return names.some((name) => message.startsWith(`${name} waits for you after `));
}

/** A wish as an entry of the queue. Invisible characters are escaped. */
function createWaitingWish({ id, text, tests, tries }: Wish): WaitingWish {
  const reason = tries.at(-1)?.reason ?? null;
  return {
    id,
    words: escapeInvisible(text),
    test: tests === null ? 'open' : tests.length === 0 ? 'none' : 'accepted',
    tries: tries.filter((attempt) => !isPostponed(attempt)).length,
    lastReason: reason === null ? null : escapeInvisibleLine(reason),
  };
}

async function createWaitingTask(failedTasks: TaskDescriber, failedTask: FailedTask): Promise<WaitingTask> {
  return {
    ...createFailedAttempts(await failedTasks.describe(failedTask)),
    name: escapeInvisibleLine(formatTaskName(failedTask.task)),
    retry: createRetryParams(failedTask.task),
  };
}

function createFailedAttempts({ task, attempts, tried, learned, corrections }: Intervention): FailedAttempts {
  return { task: task.id, attempts, tried: tried.map(shortenReason), learned, corrections };
}

function shortenReason(reason: string): string {
  return shorten(escapeInvisibleLine(reason), MAX_REASON_CHARACTERS);
}

/**
 * The parameters with which a model is asked for the task again; null if that is not possible. A request cannot be
 * repeated if its words were not stored completely.
 */
function createRetryParams({ kind, opportunity, path, id, words }: AskedTask): WaitingTask['retry'] {
  if (kind === 'opportunity' && opportunity !== null) return { opportunity };
  if (kind === 'tests' && path !== null) return { tests: path };
  return kind === 'request' && words !== undefined && taskId({ words }) === id ? { words } : null;
}
