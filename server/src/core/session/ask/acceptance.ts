// Asks a proposer for the acceptance test of a request, and shows that it fails today. Nothing is filed or applied: a
// person reads the test first.

import { SelfwareError, throwIfCancelled } from '../../../util/typedError.ts';
import { redact } from '../../ledger/redact.ts';
import type { AcceptanceFile } from '../../model/acceptance.ts';
import type { FileEdit } from '../../model.ts';
import type { Operation } from '../../operation.ts';
import { failsToday, unfitForAcceptance } from '../../verify/claims/acceptance.ts';
import { verifyProposal } from '../../verify/verify.ts';
import type { SessionContext } from '../context.ts';
import { formatEdits } from '../propose/formatting.ts';
import { draftEdits } from '../propose/proposingEdits.ts';
import { readFresh } from '../search/remembering.ts';
import { gatesContext } from '../verify/verifying.ts';
import { editsOf } from './answerEdits.ts';
import { prepared, sendOne, type Asking } from './asking.ts';
import type { AcceptanceOutcome, AcceptanceRequest } from './acceptanceTypes.ts';
import { openProposers, stickTo } from './openProposer.ts';
import { taskOf } from './questions.ts';
import { RETRIABLE } from './spares.ts';

/** Maximum number of questions to one proposer in one call; the ledger counts those of all calls. */
const MAX_QUESTIONS = 3;

/** What the next question says of a test that the person has not accepted yet. */
const NOT_ACCEPTED_YET = 'It was shown to the person, who has not accepted it so far.';

const SECRET = 'It holds what looks like a password or a key, which the ledger does not store. Use another value.';

/**
 * Asks each proposer of the list up to three times, and says each time what was wrong with the last test. Refused with
 * the last reason if no test fails today. A test that the request brings is only run. Throws `untrusted`, `usage` for
 * empty words, `forbidden`, `cancelled`.
 */
export async function acceptanceTest(context: SessionContext, request: AcceptanceRequest): Promise<AcceptanceOutcome> {
  if ('files' in request) return checkGiven(context, request.files, request);
  const { words, proposer: list, fresh = false, ...operation } = request;
  if (words.trim() === '') throw new SelfwareError('usage', 'The request is empty.');
  const task = { acceptance: words };
  const knownTask = await taskOf(context, task);
  const failures: string[] = [];
  for (const proposer of await openProposers(context, list, 'acceptance')) {
    for (let question = 1; question <= MAX_QUESTIONS; question += 1) {
      const asking = {
        ...operation,
        task,
        proposer: list,
        knownTask,
        answerer: proposer,
        fresh: fresh && question === 1,
      };
      const outcome = await askOnce(context, asking);
      if ('files' in outcome) {
        stickTo(context, list, 'acceptance', proposer);
        return outcome;
      }
      failures.push(outcome.refused);
      if (outcome.isFinal) break;
    }
  }
  return { refused: failures.at(-1) ?? 'Nobody was asked.' };
}

/** Runs a test that the request brings; refused if one of its files has changed since the test was made. */
async function checkGiven(
  context: SessionContext,
  files: readonly AcceptanceFile[],
  operation: Operation,
): Promise<AcceptanceOutcome> {
  const edits: FileEdit[] = [];
  for (const { path, before, after } of files) {
    // The person has read a test that was added to `before`, so it would undo what the file has got since.
    if ((await readFresh(context, path)) !== before)
      return { refused: `${path} has changed since the test was made. Make it again.` };
    edits.push({ path, before, after });
  }
  return showFailing(context, edits, operation);
}

type AskOnceOutcome =
  | Extract<AcceptanceOutcome, { readonly files: unknown }>
  | { readonly refused: string; readonly isFinal: boolean };

/**
 * Asks one question, and shows that the test in the answer fails today. `isFinal`: asking this proposer again is
 * useless.
 */
async function askOnce(context: SessionContext, asking: Asking): Promise<AskOnceOutcome> {
  const ready = await prepared(context, asking);
  if ('failed' in ready) return { refused: ready.failed, isFinal: true };
  if (!('asked' in ready)) return { refused: ready.refused ?? 'It was not asked.', isFinal: true };
  const sent = await sendOne(context, asking, ready.asked, ready.account, null);
  if ('failed' in sent) return { refused: sent.failed, isFinal: true };
  if ('leftAt' in sent)
    return { refused: `The question waits at ${sent.leftAt}. Answer it, then ask again.`, isFinal: true };
  const read = await editsOf(context, sent.reply, null);
  const outcome =
    'refused' in read ? read : await showFailing(context, await formatIfConfined(context, read.edits, asking), asking);
  const isShown = 'files' in outcome;
  await context.ledger.record({
    type: 'answered',
    data: {
      ...sent.answered,
      outcome: isShown ? 'proposed' : 'refused',
      reason: isShown ? NOT_ACCEPTED_YET : outcome.refused,
      ...('format' in read ? { format: read.format, rung: read.rung } : {}),
    },
  });
  return isShown ? outcome : { ...outcome, isFinal: false };
}

async function formatIfConfined(context: SessionContext, edits: readonly FileEdit[], { signal }: Operation) {
  // The formatter's configuration is code, and the answer may have changed it.
  const { confined } = await context.ports.sandbox.isolation();
  return confined && unfitForAcceptance(edits) === null ? formatEdits(context, edits, signal) : edits;
}

/** The test, if it may be written, parses and fails today. */
async function showFailing(
  context: SessionContext,
  edits: readonly FileEdit[],
  operation: Operation,
): Promise<AcceptanceOutcome> {
  const unfit = unfitForAcceptance(edits);
  if (unfit !== null) return { refused: unfit };
  if (edits.some(({ after }) => redact(after) !== after)) return { refused: SECRET };
  const { signal } = operation;
  try {
    const draft = await draftEdits(
      context,
      { title: 'An acceptance test', rationale: '', edits, author: 'model' },
      signal,
    );
    const { unfinished: _unfinished, ...gates } = await gatesContext(context, operation);
    const { verdicts } = await verifyProposal({ ...gates, only: ['applies', 'syntax'], atOnce: true }, draft, signal);
    const failedVerdict = verdicts.find(({ outcome }) => outcome === 'failed');
    if (failedVerdict) return { refused: failedVerdict.reason };
    const today = await failsToday(gates, draft.edits, signal);
    if ('refused' in today) return today;
    const files = draft.edits.map(({ path, before, after }) => ({ path, before, after: after ?? '' }));
    return { files, failure: today.failure };
  } catch (error) {
    throwIfCancelled(signal);
    if (error instanceof SelfwareError && RETRIABLE.has(error.reason)) return { refused: error.message };
    throw error;
  }
}
