// Lists the requests of a person in words, and the tasks of models and agents that wait for a person.

import type { FailedAttempts, RequestState, WaitingTask } from '#protocol/requests';
import type { WaitingWish } from '#protocol/nights';
import type { AskedTask, FailedTask } from '../../core/model/asks.ts';
import { readWishes, type Wish } from '../../core/run/wishes.ts';
import { nameOfTask } from '../../core/session/ask/interventionTexts.ts';
import { taskId } from '../../core/session/ask/taskId.ts';
import type { Session } from '../../core/session.ts';
import type { Notice } from '../../core/model.ts';
import { SelfwareError } from '../../util/typedError.ts';
import { shorten, visible, visibleLine } from '../../util/visible.ts';
import type { Repository, ServerContext } from '../serverContext.ts';

/** Maximum number of entries of each kind. The command line lists all. */
const MAX_ENTRIES = 10;
/** Maximum number of characters of the reason of one attempt. */
const MAX_REASON_CHARACTERS = 200;
/** Kinds of tasks that only a night or a migration asks about, which a person does not start again in an editor. */
const NOT_LISTED: ReadonlySet<AskedTask['kind']> = new Set(['acceptance', 'canary', 'migration']);

/** The requests and the tasks that wait. */
export interface RequestLists {
  readonly requests: readonly RequestState[];
  readonly waitingTasks: readonly WaitingTask[];
}

/** Reads both lists from the ledger. A request that waits is not listed a second time as a task. */
export async function listRequests({ ledger, proposals }: Session): Promise<RequestLists> {
  const failedTasks = await proposals.failedTasks();
  const failedById = new Map(failedTasks.map((failedTask) => [failedTask.task.id, failedTask]));
  const wishes = await readWishes({ query: (filter) => ledger.query(filter), proposals: () => proposals.all() });
  const idsOfWishes = new Set(wishes.map(({ text }) => taskId({ words: text })));
  const waiting = failedTasks.filter(
    ({ waits, task }) => waits && !NOT_LISTED.has(task.kind) && !idsOfWishes.has(task.id),
  );
  return {
    requests: wishes.slice(0, MAX_ENTRIES).map((wish) => requestState(wish, failedById)),
    waitingTasks: waiting.slice(0, MAX_ENTRIES).map(waitingTask),
  };
}

function requestState(wish: Wish, failedById: ReadonlyMap<string, FailedTask>): RequestState {
  const test = wish.tests === null ? failedById.get(taskId({ acceptance: wish.text })) : undefined;
  const failed = failedById.get(taskId({ words: wish.text }));
  const noTest = test?.tried.at(-1);
  return {
    ...waitingWish(wish),
    noTest: noTest === undefined ? null : shortReason(noTest),
    failed: failed ? failedAttempts(failed) : null,
    isRunning: false,
  };
}

const askedNow = new WeakMap<object, ReadonlySet<string>>();

/** Runs `work`; meanwhile somebody in this process is asked about the wish with this id. */
export async function whileAsked<T>(
  { events }: Pick<ServerContext, 'events'>,
  repository: Repository,
  wish: string,
  work: () => Promise<T>,
): Promise<T> {
  const others = askedNow.get(repository) ?? new Set<string>();
  if (others.has(wish))
    throw new SelfwareError('locked', 'Somebody is asked about this wish now.', {
      action: 'Wait, or cancel that first.',
    });
  askedNow.set(repository, new Set([...others, wish]));
  events.status.fire(repository);
  try {
    return await work();
  } finally {
    askedNow.set(repository, new Set([...(askedNow.get(repository) ?? [])].filter((id) => id !== wish)));
    events.status.fire(repository);
  }
}

/** The requests, with those marked that somebody in this process is asked about now. */
export function markRunning(repository: Repository, requests: readonly RequestState[]): readonly RequestState[] {
  const running = askedNow.get(repository);
  return requests.map((request) => (running?.has(request.id) ? { ...request, isRunning: true } : request));
}

/** True for a notice about a task that has an entry of its own in these lists. */
export function repeatsEntry({ message }: Pick<Notice, 'message'>, { requests, waitingTasks }: RequestLists): boolean {
  const names = [...waitingTasks.map(({ name }) => name), ...requests.map(({ words }) => `The request “${words}”`)];
  return names.some((name) => message.startsWith(`${name} waits for you after `));
}

/** A wish as an entry of a list. */
export function waitingWish({ id, text, tests, tries }: Wish): WaitingWish {
  const reason = tries.at(-1)?.reason ?? null;
  return {
    id,
    words: visible(text),
    test: tests === null ? 'open' : tests.length === 0 ? 'none' : 'accepted',
    tries: tries.length,
    lastReason: reason === null ? null : visibleLine(reason),
  };
}

function waitingTask(failedTask: FailedTask): WaitingTask {
  return {
    ...failedAttempts(failedTask),
    name: visibleLine(nameOfTask(failedTask.task)),
    retry: retryOf(failedTask.task),
  };
}

function failedAttempts({ task, attempts, tried, learned, corrections }: FailedTask): FailedAttempts {
  return { task: task.id, attempts, tried: tried.map(shortReason), learned, corrections };
}

function shortReason(reason: string): string {
  return shorten(visibleLine(reason), MAX_REASON_CHARACTERS);
}

/** The parameters that ask for the same again. A request whose words are not stored as a whole cannot be asked again. */
function retryOf({ kind, opportunity, path, id, words }: AskedTask): WaitingTask['retry'] {
  if (kind === 'opportunity' && opportunity !== null) return { opportunity };
  if (kind === 'tests' && path !== null) return { tests: path };
  return kind === 'request' && words !== undefined && taskId({ words }) === id ? { words } : null;
}
