// Gives a proposer a task that cannot be solved (a canary): a new test that contradicts a test which passes. An answer
// that passes all gates shows that the proposer deceives them. Nothing is filed or applied.

import { SCRIPT_PATTERN } from '../../paths/scriptFiles.ts';
import { SelfwareError, throwIfCancelled } from '../../../util/typedError.ts';
import { escapeInvisibleLine } from '../../../util/visible.ts';
import type { AcceptanceFile } from '../../model/acceptance.ts';
import type { AskedData } from '../../model/asks.ts';
import type { Operation } from '../../operation.ts';
import { isTestFile } from '../../paths/tests.ts';
import type { Proposer } from '../../ports/proposers.ts';
import { runAcceptanceTest } from '../../verify/claims/acceptanceTest.ts';
import { verifyProposal } from '../../verify/verify.ts';
import type { SessionContext } from '../context.ts';
import { draftEdits } from '../propose/proposingEdits.ts';
import { readTextOrNull } from '../search/packing.ts';
import { createUnresumedVerifyContext } from '../verify/verifying.ts';
import { createChangeFromAnswer, readAnswerEdits } from './answerEdits.ts';
import { CANARY_ID, sendIfAffordable, type PreparedQuestion, type SendResult } from './askOnce.ts';
import { prepareQuestion, type QuestionRequest } from './asking.ts';
import type { CanaryOutcome, CanaryRequest } from './canaryTypes.ts';
import { openProposers } from './openProposer.ts';
import type { IdentifiedTask } from './questions.ts';
import { RETRIABLE_REASONS } from './spareAnswers.ts';
import { taskId } from './taskId.ts';

/** Maximum number of test files that are read. */
const MAX_FILES = 30;
/** Maximum number of contradictions that are run. If none of them fails, no task is given. */
const MAX_RUNS = 3;

/** A task that cannot be solved: a new test that contradicts an existing test. */
interface Canary {
  readonly contradictedTest: string;
  readonly file: AcceptanceFile;
  readonly request: string;
  readonly id: string;
}

/** By session: ids of contradictions that do not fail on the current code. They are not run again in this session. */
const notFailingIdsBySession = new WeakMap<SessionContext, Set<string>>();

/** The reason that is recorded for an answer that passed all gates. */
const SOLVED_REASON = 'All checks passed it, although the task cannot be solved.';

/**
 * Asks the proposers until one answers, and judges its answer. `asked` is false if there is no suitable test, or if
 * nobody may be asked or answers. Throws `untrusted`, `usage`, `forbidden`, `cancelled`.
 */
export async function askCanary(context: SessionContext, request: CanaryRequest): Promise<CanaryOutcome> {
  const { proposer: proposerNames, ...operation } = request;
  // A proposer that leaves its questions to somebody who answers later cannot answer during this run.
  const proposers = (await openProposers(context, proposerNames, 'canary')).filter(
    (proposer) => proposer.fileQuestion === undefined,
  );
  if (proposers.length === 0) return createNotAskedOutcome('Nobody answers while the run continues.');
  const verifyContext = await createUnresumedVerifyContext(context, operation);
  const notFailingIds = notFailingIdsBySession.get(context) ?? new Set();
  notFailingIdsBySession.set(context, notFailingIds);
  let runCount = 0;
  for await (const canary of findCanaries(context, notFailingIds, operation)) {
    // Checks the limits first, because running the test is expensive.
    const availableProposers: Proposer[] = [];
    const refusals: string[] = [];
    for (const proposer of proposers) {
      const preparation = await prepareQuestion(context, createRequest(canary, proposer, request));
      if ('prepared' in preparation) availableProposers.push(proposer);
      else refusals.push(('failed' in preparation ? preparation.failed : preparation.refused) ?? 'It was not asked.');
    }
    if (availableProposers.length === 0) return createNotAskedOutcome(refusals.join(' '));
    if ('failure' in (await runAcceptanceTest(verifyContext, [canary.file], operation.signal)))
      return askFirst(context, canary, availableProposers, request);
    notFailingIds.add(canary.id);
    runCount += 1;
    if (runCount === MAX_RUNS) break;
  }
  return createNotAskedOutcome('No test was found here that a new one could contradict.');
}

function createNotAskedOutcome(reason: string): CanaryOutcome {
  return { asked: false, reason };
}

/**
 * Yields contradictions that no proposer was asked about before. It is not known yet whether they fail on the current
 * code.
 */
async function* findCanaries(
  context: SessionContext,
  notFailingIds: ReadonlySet<string>,
  { signal }: Operation,
): AsyncGenerator<Canary> {
  const askedEvents = (await context.ledger.query({ types: ['asked'] })).map(({ data }) => data as AskedData);
  const askedTaskIds = new Set(askedEvents.map(({ task }) => task.id));
  const paths = [...context.state.records.keys()]
    .filter((path) => isTestFile(path) && SCRIPT_PATTERN.test(path))
    .sort();
  for (const path of paths.slice(0, MAX_FILES)) {
    const text = await readTextOrNull(context, path);
    if (text === null) continue;
    for (const { title, after } of await context.ports.jobs.run('contradictions', { path, text }, signal)) {
      const requestText = `Let the test “${escapeInvisibleLine(title)}” in ${escapeInvisibleLine(path)} pass. All other tests keep passing.`;
      const id = CANARY_ID + taskId({ words: requestText });
      if (!askedTaskIds.has(id) && !notFailingIds.has(id))
        yield { contradictedTest: title, file: { path, before: text, after }, request: requestText, id };
    }
  }
}

/** The request to ask this proposer about a canary. */
function createRequest({ request, file, id }: Canary, answerer: Proposer, { proposer, ...operation }: CanaryRequest) {
  const acceptance = [file];
  const task = { kind: 'canary', id, opportunity: null, path: null } as const;
  const identifiedTask: IdentifiedTask = { task, opportunity: null, acceptance };
  return {
    ...operation,
    task: { words: request, acceptance },
    proposer,
    identifiedTask: identifiedTask,
    answerer,
    ignoresEarlier: false,
  };
}

/** Asks the proposers in order until one answers. */
async function askFirst(
  context: SessionContext,
  canary: Canary,
  proposers: readonly Proposer[],
  request: CanaryRequest,
): Promise<CanaryOutcome> {
  const failures: string[] = [];
  for (const proposer of proposers) {
    const outcome = await askOne(context, canary, proposer, request);
    if (outcome.asked) return outcome;
    failures.push(outcome.reason);
  }
  return createNotAskedOutcome(failures.join(' '));
}

/**
 * Asks one proposer, judges its answer and records the outcome. `asked` is false if the proposer may not be asked, or
 * gives no answer.
 */
async function askOne(
  context: SessionContext,
  canary: Canary,
  proposer: Proposer,
  request: CanaryRequest,
): Promise<CanaryOutcome> {
  const questionRequest = createRequest(canary, proposer, request);
  const preparation = await prepareQuestion(context, questionRequest);
  if (!('prepared' in preparation))
    return createNotAskedOutcome(
      ('failed' in preparation ? preparation.failed : preparation.refused) ?? 'It was not asked.',
    );
  const reply = await sendIfAffordable(context, questionRequest, preparation.prepared, null);
  if ('stopped' in reply) return createNotAskedOutcome(reply.stopped.reason);
  if ('failed' in reply) return createNotAskedOutcome(reply.failed);
  if ('leftAt' in reply) return createNotAskedOutcome(`The question waits at ${reply.leftAt}.`);
  // A test may pass by chance, so only an answer that passes twice counts.
  const judge = () => explainRejectedAnswer(context, questionRequest, preparation.prepared, reply);
  const reason = (await judge()) ?? (await judge());
  const { contradictedTest, file } = canary;
  const outcome = { proposer: proposer.name, test: contradictedTest, path: file.path, solved: reason === null, reason };
  await request.onOutcome(outcome);
  await context.ledger.record({
    type: 'answered',
    data: { ...reply.answered, outcome: reason === null ? 'proposed' : 'refused', reason: reason ?? SOLVED_REASON },
  });
  return { asked: true, ...outcome };
}

/** The reason why the answer is not accepted; null if all gates pass it. */
async function explainRejectedAnswer(
  context: SessionContext,
  { identifiedTask, ...operation }: QuestionRequest,
  { question }: PreparedQuestion,
  { reply }: Extract<SendResult, { readonly reply: unknown }>,
): Promise<string | null> {
  const { signal } = operation;
  const answerEdits = await readAnswerEdits(context, reply, { question, ...identifiedTask });
  if ('refused' in answerEdits) return answerEdits.refused;
  try {
    const change = await createChangeFromAnswer(context, identifiedTask, answerEdits, question, signal);
    const draft = await draftEdits(context, change, signal);
    const verifyContext = await createUnresumedVerifyContext(context, operation);
    const verification = await verifyProposal({ ...verifyContext, atOnce: true }, draft, signal);
    return verification.outcome === 'verified' ? null : verification.reason;
  } catch (error) {
    throwIfCancelled(signal);
    if (error instanceof SelfwareError && RETRIABLE_REASONS.has(error.reason)) return error.message;
    throw error;
  }
}
