// Tries a person's wish in a run: asks the proposer in the person's words, and applies an answer if its checks and the
// charter allow that.

import { askForProposal, type AskedProposal } from '../../core/session/ask/askForProposal.ts';
import type { NightMiss } from '../../core/model/nights.ts';
import type { Operation } from '../../core/operation.ts';
import type { Millis, Proposal } from '../../core/model.ts';
import { createMiss } from '../../core/run/misses.ts';
import { isDeferredWish, findNextWish, readUnappliedWishes, readWishes, type Wish } from '../../core/run/wishes.ts';
import type { AnsweredData } from '../../core/model/asks.ts';
import type { AskEvent } from '../../core/proposers/accounts.ts';
import { causesOutages, findUnsentPause } from '../../core/proposers/outages.ts';
import { parseAskEvents } from '../../core/session/ask/pastAttempts.ts';
import { taskId } from '../../core/session/ask/taskId.ts';
import type { BegunRun } from './beginRun.ts';
import { chooseTrustedProposer, createHeldTest } from './giveCanary.ts';
import { findStopReason, requireNight, type NightContext } from './night.ts';
import type { Session } from '../../core/session.ts';
import { isDeferredAsBusy } from '../../core/verify/busyMachine.ts';
import type { Ledger } from '../../core/ledger/ledger.ts';
import { describeError, SelfwareError, throwIfCancelled } from '../../util/typedError.ts';

/** The outcome of a wish that was tried. */
export interface WishOutcome {
  readonly proposal: Proposal | null;
  /** The reason why the change was not kept; null if it was. */
  readonly reason: string | null;
  /** True if only a person may decide on the change. */
  readonly asks: boolean;
  /** True if the proof of the change needs a quieter machine, or if no proposer could be asked. */
  readonly isDeferred: boolean;
  /** Set if no proposer could be asked: the time of the next try; null if only another run tries it again. */
  readonly retryAt?: Millis | null;
}

/** The reason to do nothing more for a wish that a person has dropped or changed meanwhile. */
export const NOT_WANTED = 'The wish was dropped, or its test has changed, while it was tried.';
/** The reason why a change waits if its proposer is not trusted. */
export const HELD_REASON = 'Its proposer has “solved” a task that cannot be solved.';

/** The checks during the try of a wish, and the test for proposals that wait for a person. */
interface WishLimits {
  isStillWanted(): Promise<boolean>;
  /** True if the run is to end after this step: nothing more is asked then. */
  isAskedToEnd?(): Promise<boolean>;
  isHeld(proposal: Proposal): boolean;
  /** Receives each answer that its checks refuse, or that was rolled back. */
  onMiss?(kind: 'refused' | 'rolledBack', proposal: Proposal): Promise<void>;
}

/** The steps that follow a tried wish. */
interface WishSteps {
  onMiss(miss: NightMiss): Promise<void>;
  /** Hands its kept change over to the branch; false if the branch belongs to somebody else by now. */
  reachesBranch(): Promise<boolean>;
}

/** The parts of a ledger from which wishes are read. */
type ReadLedger = Pick<Ledger, 'query' | 'proposals'>;

/** The next wish that this run has to try; null if there is none, or if it tries no wishes. See `nextWish`. */
export async function findUntriedWish(
  ledger: ReadLedger,
  { run, kinds }: Pick<BegunRun, 'run' | 'kinds'>,
  isQuiet: () => boolean,
): Promise<Wish | null> {
  return kinds?.includes('wishes') === false ? null : findNextWish(await readWishes(ledger), run, isQuiet, Date.now());
}

/**
 * If the run's proposer cannot be asked now, records for each wish that this run has to try why it waits. Otherwise
 * does nothing.
 */
export async function postponeWishes(context: NightContext, begunRun: BegunRun, session: Session): Promise<void> {
  const { repository, isQuiet } = context;
  const { branch: night, run, kinds } = begunRun;
  if (kinds?.includes('wishes') === false) return;
  const proposer = await chooseTrustedProposer(context, begunRun);
  const pause = proposer === null ? null : await session.questions.askPause(proposer, 'request');
  if (pause === null) return;
  const { reason, until: retryAt } = pause;
  const queue = await readWishes(repository.ledger);
  for (const wish of queue) {
    if (findNextWish([wish], run, isQuiet, Date.now()) === null) continue;
    const eventData = { night, run, wish: wish.id, text: wish.text, proposal: null, reason, retryAt };
    await repository.ledger.record({ type: 'nightWish', data: { ...eventData, outcome: 'deferred' } });
  }
}

/**
 * Tries the next wish that this run has to try. Returns false if there is none, or if no proposer could be asked, even
 * if only the attempt to ask has shown that. A wish counts as not done if asking for it fails with outages while other
 * tasks are answered (`causesOutages`).
 */
export async function tryNextWish(
  context: NightContext,
  begunRun: Pick<BegunRun, 'branch' | 'run' | 'proposer' | 'kinds'>,
  session: Session,
  { onMiss, reachesBranch }: WishSteps,
  operation: Operation,
): Promise<boolean> {
  const { request, repository, isQuiet } = context;
  const { ledger } = repository;
  const { branch: night, run, proposer } = begunRun;
  if (proposer === null) return false;
  const wish = await findUntriedWish(ledger, begunRun, isQuiet);
  if (wish === null) return false;
  const eventData = { night, run, wish: wish.id, text: wish.text } as const;
  const earlierChange = await changeOfWish(context, session, night, wish);
  if (earlierChange !== null) {
    await ledger.record({
      type: 'nightWish',
      data: { ...eventData, outcome: 'committed', proposal: earlierChange, reason: null },
    });
    return true;
  }
  request.onEvent({ type: 'trying', title: wish.text });
  const limits = {
    isStillWanted: () => isWanted(ledger, wish),
    isAskedToEnd: async () => (await findStopReason(context, { run })) !== null,
    isHeld: await createHeldTest(context, { branch: night }),
    onMiss: (kind: 'refused' | 'rolledBack', missed: Proposal) =>
      onMiss(createMiss(kind, missed, missed.reason ?? 'Its checks refused it.', true)),
  };
  const startedAt = Date.now();
  const outcomeOfTry = await tryWish(session, wish, proposer, limits, operation);
  const { proposal, reason, asks, retryAt } = outcomeOfTry;
  // A wish is done once its change is on the branch; until then, it stays in the queue.
  if (reason === null && !(await reachesBranch())) return true;
  const isPostponed = retryAt !== undefined;
  const isGivenUp = isPostponed && causesOutages(await readQuestions(session), taskId({ words: wish.text }));
  const isUnasked = isPostponed && !isGivenUp;
  const isDeferred = outcomeOfTry.isDeferred && !isGivenUp;
  const outcome = reason === null ? 'committed' : isDeferred ? 'deferred' : 'notDone';
  const seconds = Math.round((Date.now() - startedAt) / 100) / 10;
  await ledger.record({
    type: 'nightWish',
    data: { ...eventData, outcome, proposal: proposal?.id ?? null, reason, seconds, ...(isUnasked ? { retryAt } : {}) },
  });
  const state = isUnasked ? 'Waits' : isDeferred ? 'Waits for a quieter machine' : 'Not done';
  if (reason !== null) request.onEvent({ type: 'note', text: `${state}: “${wish.text}” ${reason}` });
  if (asks && proposal && reason !== null) await onMiss(createMiss('asks', proposal, reason, true));
  return !isPostponed;
}

/** Records the wishes whose changes are already on the branch, because nobody could record them when they were made. */
export async function recordDoneWishes(
  context: NightContext,
  { branch: night, run }: Pick<BegunRun, 'branch' | 'run'>,
  session: Session,
): Promise<void> {
  const { ledger } = context.repository;
  for (const wish of await readWishes(ledger)) {
    const { id, text } = wish;
    const proposal = await changeOfWish(context, session, night, wish);
    if (proposal === null) continue;
    const data = { night, run, wish: id, text, outcome: 'committed', proposal, reason: null } as const;
    await ledger.record({ type: 'nightWish', data });
  }
}

/** All questions and answers of the ledger, oldest first. */
async function readQuestions(session: Pick<Session, 'ledger'>): Promise<readonly AskEvent[]> {
  return (await session.ledger.query({ types: ['asked', 'answered'] })).flatMap(parseAskEvents);
}

/**
 * The change on the branch that does this wish, if a process died before it could record that; null if there is none.
 */
export async function changeOfWish(
  { repository }: NightContext,
  session: Session,
  branch: string,
  wish: Wish,
): Promise<string | null> {
  const task = taskId({ words: wish.text });
  const answers = (await session.ledger.query({ types: ['answered'] })).map(({ data }) => data as AnsweredData);
  const { changes } = await requireNight(repository.ledger, branch);
  const earlierChange = changes.find(
    ({ proposal, at }) =>
      at >= wish.at && answers.some((answer) => answer.proposal === proposal && answer.task.id === task),
  );
  return earlierChange?.proposal ?? null;
}

/** True if the wish is still in the queue, with the same test. A person may drop it, or give it a test, at any time. */
export async function isWanted(ledger: ReadLedger, { id, tests }: Wish): Promise<boolean> {
  // Its own change may wait while the wish is still being tried.
  const currentWish = (await readUnappliedWishes(ledger)).find((candidate) => candidate.id === id);
  return currentWish !== undefined && JSON.stringify(currentWish.tests) === JSON.stringify(tests);
}

/** The proposals for wishes that are no longer in the queue. */
export async function findUnwantedProposals(session: Session, ledger: ReadLedger): Promise<ReadonlySet<string>> {
  const tasks = new Set((await readUnappliedWishes(ledger)).map(({ text }) => taskId({ words: text })));
  return findProposalsOfWishes(session, (task) => !tasks.has(task));
}

/** Ids of the proposals for wishes whose task `isIncluded` accepts. */
export async function findProposalsOfWishes(
  session: { readonly ledger: Pick<Session['ledger'], 'query'> },
  isIncluded: (task: string) => boolean = () => true,
): Promise<ReadonlySet<string>> {
  const answers = (await session.ledger.query({ types: ['answered'] })).map(({ data }) => data as AnsweredData);
  return new Set(
    answers.flatMap(({ proposal, task }) =>
      proposal !== null && task.kind === 'request' && isIncluded(task.id) ? [proposal] : [],
    ),
  );
}

/**
 * Asks the proposer for the wish, and applies an answer if its checks and the charter allow that. `isStillWanted` is
 * called before each further question, and before the change is applied or deferred; `isAskedToEnd` only before each
 * further question. A proposal for which `isHeld` returns true waits for a person. An error of the proposer becomes the
 * reason of the outcome. The wish waits if the proposer could not be reached or loaded, or if consent is missing.
 * Throws `cancelled`.
 */
export async function tryWish(
  session: Session,
  wish: Pick<Wish, 'text' | 'tests' | 'tries'>,
  proposer: string,
  limits: WishLimits,
  operation: Operation,
): Promise<WishOutcome> {
  const notDone = { asks: false, isDeferred: false };
  try {
    const answer = await answerTo(session, wish, proposer, limits, operation);
    const { proposal, refusals, postponed } = answer;
    const isUnwanted = !(await limits.isStillWanted());
    if (isUnwanted && proposal?.status !== 'verified') return { ...notDone, proposal, reason: NOT_WANTED };
    if (proposal !== null && isDeferredAsBusy(proposal))
      return { ...notDone, proposal, reason: proposal.reason ?? 'The machine was busy.', isDeferred: true };
    if (proposal?.status !== 'verified' && postponed !== undefined) {
      const reason = refusals.at(-1) ?? null;
      return { ...notDone, proposal: null, reason, isDeferred: true, retryAt: postponed.until };
    }
    if (proposal?.status !== 'verified') return { ...notDone, proposal, reason: selectMainReason(refusals) };
    const isHeld = limits.isHeld(proposal);
    const reasonToWait = isUnwanted
      ? NOT_WANTED
      : isHeld
        ? HELD_REASON
        : await session.proposals.explainNeedToAsk(proposal.id);
    if (reasonToWait !== null) {
      await session.proposals.decide({
        proposal: proposal.id,
        verdict: 'deferred',
        by: 'charter',
        reason: reasonToWait,
      });
      return { ...notDone, proposal, reason: reasonToWait, asks: !isUnwanted };
    }
    const applied = await session.changes.apply({ proposal: proposal.id, by: 'charter', ...operation });
    const isKept = applied.proposal.status === 'kept';
    if (applied.proposal.status === 'rolledBack') await limits.onMiss?.('rolledBack', applied.proposal);
    return {
      ...notDone,
      proposal: applied.proposal,
      reason: isKept ? null : (applied.proposal.reason ?? 'It did not hold after it was applied.'),
    };
  } catch (error) {
    throwIfCancelled(operation.signal);
    if (!(error instanceof SelfwareError)) throw error;
    // Without consent, no proposer was asked, so the wish waits until a person agrees again.
    const pause =
      findUnsentPause(error, Date.now()) ??
      (error.reason === 'forbidden' ? await session.questions.askPause(proposer, 'request') : null);
    const deferral = pause === null ? {} : { isDeferred: true, retryAt: pause.until };
    return { ...notDone, ...deferral, proposal: null, reason: describeError(error) };
  }
}

/**
 * Gets the answer to a wish: the proposal that waited for a quieter machine, verified again; otherwise a new one, if no
 * proposal waited, if its checks refuse it, or if it is held. `refusals` then also receives the reason of the waiting
 * proposal.
 */
async function answerTo(
  session: Session,
  { text, tests, tries }: Parameters<typeof tryWish>[1],
  proposer: string,
  { isStillWanted, isAskedToEnd = async () => false, isHeld, onMiss }: WishLimits,
  operation: Operation,
): Promise<Pick<AskedProposal, 'proposal' | 'refusals' | 'postponed'>> {
  const waiting = isDeferredWish({ tries }) ? tries.at(-1)?.proposal : null;
  const waitingProposal = waiting ? (await session.proposals.all()).find(({ id }) => id === waiting) : undefined;
  const refusals: string[] = [];
  const mayAsk = async () => !(await isAskedToEnd()) && (await isStillWanted());
  if (waitingProposal && isDeferredAsBusy(waitingProposal) && !isHeld(waitingProposal)) {
    const proposal = await session.verification.verify(waitingProposal.id, operation);
    if (proposal.status !== 'refused') return { proposal, refusals };
    refusals.push(proposal.reason ?? 'Its checks refused it.');
    await onMiss?.('refused', proposal);
    if (!(await mayAsk())) return { proposal, refusals };
  }
  const task = tests === null || tests.length === 0 ? { words: text } : { words: text, acceptance: tests };
  const onRefused = async (proposal: Proposal) => onMiss?.('refused', proposal);
  const answer = await askForProposal(
    session,
    { task, proposer, verify: true, mayWait: true, isStillWanted: mayAsk, onRefused },
    operation,
  );
  const { proposal, stops, intervention, postponed } = answer;
  const reasons = [...refusals, ...answer.refusals, ...stops, ...(intervention ? [intervention] : [])];
  return { proposal, refusals: reasons, ...(postponed === undefined ? {} : { postponed }) };
}

/** The reason why no answer passed: the newest refusal, or the first one if the newest only repeats its text. */
function selectMainReason(refusals: readonly string[]): string {
  const lastRefusal = refusals.at(-1) ?? 'No answer passed its checks.';
  return refusals.find((reason) => lastRefusal.includes(reason.replace(/\.$/, ''))) ?? lastRefusal;
}
