// Folds events into the queue of wishes: tasks for unattended runs, in the order in which they are tried.

import type { AcceptanceFile } from '../model/acceptance.ts';
import { computeRequestTaskId, type AnsweredData } from '../model/asks.ts';
import type { LeftChange, NightEvent, WishEvent } from '../model/nights.ts';
import type { Millis, ProposalStatus } from '../model.ts';
import type { Night } from './nightTypes.ts';

/** The types of events that make up the queue. */
export const WISH_EVENTS = [
  'wishAdded',
  'wishTested',
  'wishDropped',
  'wishFirst',
  'wishMoved',
  'nightWish',
  'nightMoved',
] as const;

/** A wish, with its acceptance test and its attempts. */
export interface Wish {
  readonly id: string;
  readonly text: string;
  readonly at: Millis;
  /** The acceptance test that a person has accepted; empty if the person wants none; null if none was made yet. */
  readonly tests: readonly AcceptanceFile[] | null;
  /** The outcome of each attempt, oldest first. */
  readonly tries: readonly {
    readonly run: string;
    readonly reason: string | null;
    /** Id of the proposal of the attempt; null if it proposed nothing. */
    readonly proposal: string | null;
    /** Set if the proposal waits for a quieter machine; the wish is tried again then. */
    readonly isDeferred?: true;
    /**
     * Set if nobody could be asked, so that the attempt does not count: the time of the next attempt; null if only
     * another run tries it again. Only the newest attempt can have it.
     */
    readonly retryAt?: Millis | null;
    /** Set with `retryAt`: the time of the last question of this run; absent if the run has asked none. */
    readonly askedAt?: Millis;
  }[];
}

/** The data of the event about an attempt. */
type WishAttemptData = Extract<NightEvent, { readonly type: 'nightWish' }>['data'];
/** An event about the queue, with its time. */
type QueueEvent = (WishEvent | Extract<NightEvent, { readonly type: 'nightWish' | 'nightMoved' }>) & {
  readonly at: Millis;
};

/** The parts of a ledger from which the queue is read. */
export interface WishLedger {
  query(filter: {
    readonly types: readonly (WishEventType | 'answered')[];
    /** Only events with a higher number. */
    readonly after?: number;
  }): Promise<readonly StoredQueueEvent[]>;
  proposals(): Promise<readonly { readonly id: string; readonly status: ProposalStatus }[]>;
}
type WishEventType = (typeof WISH_EVENTS)[number];
interface StoredQueueEvent {
  readonly type: string;
  readonly at: Millis;
  readonly sequence?: number;
  readonly data: unknown;
}

/** The states of a proposal that answers a wish: it waits for a person or a quieter machine, or it was applied. */
const ANSWERING_STATUSES: ReadonlySet<ProposalStatus> = new Set([
  'verified',
  'approved',
  'deferred',
  'applied',
  'kept',
]);

/**
 * The queue of a repository, in the order in which wishes are tried. It omits a wish in two cases: a person has applied
 * a proposal of one of its attempts; or a proposal for the same request, made outside of a night, waits for a person or
 * was applied.
 */
export async function readWishes(ledger: WishLedger): Promise<readonly Wish[]> {
  const events = await ledger.query({ types: WISH_EVENTS });
  const queue = await selectUnappliedWishes(ledger, events);
  const answeredWishIds = await findAnsweredWishes(ledger, events, queue);
  return queue.filter(({ id }) => !answeredWishIds.has(id));
}

/**
 * The queue, including wishes for which a proposal from outside of a night waits or was applied. Omits only wishes of
 * which a person has applied a proposal.
 */
export async function readUnappliedWishes(ledger: WishLedger): Promise<readonly Wish[]> {
  return selectUnappliedWishes(ledger, await ledger.query({ types: WISH_EVENTS }));
}

/**
 * Ids of the wishes for which a proposal from outside of a night waits or was applied. Usually an event records this,
 * but the event is missing if the process ended right after the proposal.
 */
async function findAnsweredWishes(
  ledger: WishLedger,
  events: readonly StoredQueueEvent[],
  queue: readonly Wish[],
): Promise<ReadonlySet<string>> {
  if (queue.length === 0) return new Set();
  const queuedIds = new Set(queue.map(({ id }) => id));
  const oldestEvent = events.find(
    ({ type, data }) => type === 'wishAdded' && queuedIds.has((data as WishReference).wish),
  );
  const afterOldest = oldestEvent?.sequence === undefined ? {} : { after: oldestEvent.sequence };
  const answers = (await ledger.query({ types: ['answered'], ...afterOldest })).flatMap(({ type, at, data }) => {
    const { task, proposal } = data as Pick<AnsweredData, 'task' | 'proposal'>;
    return type === 'answered' && task?.kind === 'request' && proposal ? [{ at, task: task.id, proposal }] : [];
  });
  if (answers.length === 0) return new Set();
  const statusById = new Map((await ledger.proposals()).map(({ id, status }) => [id, status]));
  const isAnswered = ({ text, at, tries }: Wish) => {
    const task = computeRequestTaskId(text);
    const triedProposals = new Set(tries.map(({ proposal }) => proposal));
    return answers.some(
      (answer) =>
        answer.task === task &&
        answer.at >= at &&
        !triedProposals.has(answer.proposal) &&
        ANSWERING_STATUSES.has(statusById.get(answer.proposal) ?? 'refused'),
    );
  };
  return new Set(queue.flatMap((wish) => (isAnswered(wish) ? [wish.id] : [])));
}

interface WishReference {
  readonly wish: string;
}

/** The open wishes, without those of which a person has applied a proposal of an attempt. */
async function selectUnappliedWishes(
  ledger: Pick<WishLedger, 'proposals'>,
  events: readonly StoredQueueEvent[],
): Promise<readonly Wish[]> {
  const queue = foldOpenWishes(events as unknown as Parameters<typeof foldOpenWishes>[0]);
  if (!queue.some(({ tries }) => tries.some(({ proposal }) => proposal !== null))) return queue;
  const appliedIds = new Set(
    (await ledger.proposals()).flatMap(({ id, status }) => (status === 'applied' || status === 'kept' ? [id] : [])),
  );
  return queue.filter(({ tries }) => !tries.some(({ proposal }) => proposal !== null && appliedIds.has(proposal)));
}

/** The wishes that are neither done nor dropped, in the order in which they are tried. `events`: oldest first. */
export function foldOpenWishes(events: readonly QueueEvent[]): readonly Wish[] {
  let queue: readonly Wish[] = [];
  /** The completed wishes, by the id of the committed proposal. */
  const doneWishes = new Map<string, Wish>();
  for (const { type, data, at } of events) {
    if (type === 'nightMoved') {
      queue = [...reopenWishes(doneWishes, data.left), ...queue];
      continue;
    }
    const current = queue.find(({ id }) => id === data.wish);
    const otherWishes = queue.filter(({ id }) => id !== data.wish);
    if (type === 'wishAdded') queue = [...otherWishes, { id: data.wish, text: data.text, at, tests: null, tries: [] }];
    else if (!current) continue;
    else if (type === 'wishFirst') queue = [current, ...otherWishes];
    else if (type === 'wishMoved') queue = insertBefore(otherWishes, current, data.before);
    else if (type === 'wishTested')
      queue = queue.map((wish) => (wish.id === current.id ? replaceTests(wish, data.tests) : wish));
    else if (type === 'wishDropped') queue = otherWishes;
    else if (data.outcome === 'committed') {
      queue = otherWishes;
      if (data.proposal !== null) doneWishes.set(data.proposal, current);
    } else {
      const askedBefore = current.tries.find((attempt) => isPostponed(attempt) && attempt.run === data.run)?.askedAt;
      // An attempt without a duration asked nothing: the wish was postponed because nobody could be asked about another
      // wish.
      const askedAt = data.seconds === undefined ? askedBefore : at;
      const tries = [...current.tries.filter((attempt) => !isPostponed(attempt)), createAttempt(data, askedAt)];
      queue = queue.map((wish) => (wish.id === current.id ? { ...current, tries } : wish));
    }
  }
  return queue;
}

/**
 * Removes wishes from `doneWishes` and returns them, if their changes are no longer on the branch although nobody has
 * rejected these.
 */
function reopenWishes(doneWishes: Map<string, Wish>, leftChanges: readonly LeftChange[]): readonly Wish[] {
  return leftChanges.flatMap(({ proposal, reason, lost }) => {
    const wish = lost ? doneWishes.get(proposal) : undefined;
    if (!wish) return [];
    doneWishes.delete(proposal);
    return { ...wish, tries: [...wish.tries, { run: '', reason: lostWishReason(reason), proposal }] };
  });
}

/** The reason why a wish is no longer done. `reason`: the reason why its change is no longer on the branch. */
export function lostWishReason(reason: string): string {
  return `Its change is no longer on the branch. ${reason}`;
}

function createAttempt(
  { run, reason, proposal, outcome, retryAt }: WishAttemptData,
  askedAt: Millis | undefined,
): Wish['tries'][number] {
  const attempt = { run, reason, proposal };
  if (outcome !== 'deferred') return attempt;
  if (retryAt === undefined) return { ...attempt, isDeferred: true };
  return { ...attempt, retryAt, ...(askedAt === undefined ? {} : { askedAt }) };
}

/** True if nobody could be asked, so that the attempt does not count. */
export function isPostponed({ retryAt }: Wish['tries'][number]): boolean {
  return retryAt !== undefined;
}

/** Inserts a wish right before the one with the id `before`; at the end if that is null or no longer in the queue. */
function insertBefore(wishes: readonly Wish[], wish: Wish, before: string | null): readonly Wish[] {
  const index = wishes.findIndex(({ id }) => id === before);
  return index < 0 ? [...wishes, wish] : wishes.toSpliced(index, 0, wish);
}

/**
 * The wish with another acceptance test. Removes an attempt whose proposal waits for a quieter machine, because that
 * proposal lacks the new test.
 */
function replaceTests(wish: Wish, tests: Wish['tests']): Wish {
  return { ...wish, tests, tries: wish.tries.filter(({ isDeferred }) => !isDeferred) };
}

/** The tried wishes of a night, after a person has dropped those with these ids. Completed wishes stay completed. */
export function markDropped(wishes: Night['wishes'], dropped: ReadonlySet<string>): Night['wishes'] {
  return wishes.map(({ isDeferred, ...wish }) =>
    wish.done || !dropped.has(wish.id)
      ? { ...wish, ...(isDeferred ? { isDeferred } : {}) }
      : { ...wish, isDropped: true as const },
  );
}

/** True if the proposal of the newest attempt waits for a quieter machine. */
export function isDeferredWish({ tries }: Pick<Wish, 'tries'>): boolean {
  return tries.at(-1)?.isDeferred === true;
}

/**
 * The next wish that this run has to try; null if there is none. A deferred wish is tried again only if `isQuiet`
 * returns true. A wish for which nobody could be asked is tried again only at its `retryAt`. Wishes about which the run
 * has asked nothing come first, then the one whose question is the oldest, so that no wish blocks the others.
 */
export function findNextWish(queue: readonly Wish[], runId: string, isQuiet: () => boolean, now: Millis): Wish | null {
  const canTry = (wish: Wish) => {
    const lastTry = wish.tries.at(-1);
    if (lastTry?.run === runId && lastTry.retryAt !== undefined)
      return lastTry.retryAt !== null && lastTry.retryAt <= now;
    return wish.tries.every((attempt) => attempt.run !== runId) || (isDeferredWish(wish) && isQuiet());
  };
  const askedAtOf = ({ tries }: Wish) => {
    const lastTry = tries.at(-1);
    return lastTry?.run === runId ? (lastTry.askedAt ?? 0) : 0;
  };
  return queue.filter(canTry).toSorted((a, b) => askedAtOf(a) - askedAtOf(b))[0] ?? null;
}
