// Asks a proposer for the acceptance test of a request, and shows that it fails today. Nothing is filed or applied: a
// person reads the test first.

import { SelfwareError, throwIfCancelled } from '../../../util/typedError.ts';
import { redact } from '../../ledger/redact.ts';
import type { AcceptanceFile } from '../../model/acceptance.ts';
import type { FileEdit } from '../../model.ts';
import type { Operation } from '../../operation.ts';
import { runAcceptanceTest, explainRefusedAcceptanceTest } from '../../verify/claims/acceptanceTest.ts';
import { verifyProposal } from '../../verify/verify.ts';
import type { SessionContext } from '../context.ts';
import { formatAnswer } from '../propose/formatEdits.ts';
import { draftEdits } from '../propose/proposingEdits.ts';
import { readTextOrNull } from '../search/packing.ts';
import { createUnresumedVerifyContext } from '../verify/verifying.ts';
import type { AcceptanceOutcome, AcceptanceRequest } from './acceptanceTypes.ts';
import { askUntilFit } from './askUntilFit.ts';
import { RETRIABLE_REASONS } from './spareAnswers.ts';

/** What the next question says about a test that was shown to the person and not accepted. */
const NOT_ACCEPTED_YET = 'It was shown to the person, who has not accepted it so far.';

/** The reason to refuse a test that contains a secret. */
const SECRET_REASON =
  'It holds what looks like a password or a key, which the ledger does not store. Use another value.';

/**
 * Asks the proposers until a test fails today as it should. If the request already contains a test, that test is only
 * run. Throws `usage` for empty words, and the errors of `askUntilFit`.
 */
export async function findAcceptanceTest(
  context: SessionContext,
  request: AcceptanceRequest,
): Promise<AcceptanceOutcome> {
  if ('files' in request) return checkGivenTest(context, request.files, request);
  const { words, proposer, ignoresEarlier = false, ...operation } = request;
  if (words.trim() === '') throw new SelfwareError('usage', 'The request is empty.');
  return askUntilFit<ShownTest>(
    context,
    { ...operation, task: { acceptance: words }, proposer, ignoresEarlier },
    {
      describeForLedger: () => ({ reason: NOT_ACCEPTED_YET }),
      fit: async ({ edits }, questionRequest) =>
        showFailing(context, await formatIfConfined(context, edits, questionRequest), questionRequest),
    },
  );
}

/** Runs a test that the request contains. It is refused if one of its files has changed since the test was made. */
async function checkGivenTest(
  context: SessionContext,
  files: readonly AcceptanceFile[],
  operation: Operation,
): Promise<AcceptanceOutcome> {
  const edits: FileEdit[] = [];
  for (const { path, before, after } of files) {
    // The person has read the test as an addition to `before`, so writing it now would undo later changes of the file.
    if ((await readTextOrNull(context, path)) !== before)
      return { refused: `${path} has changed since the test was made. Make it again.` };
    edits.push({ path, before, after });
  }
  return showFailing(context, edits, operation);
}

type ShownTest = Extract<AcceptanceOutcome, { readonly files: unknown }>;

/**
 * Formats the test if the formatter can run isolated and the test may be formatted; otherwise returns the edits
 * unchanged.
 */
async function formatIfConfined(context: SessionContext, edits: readonly FileEdit[], { signal }: Operation) {
  // The formatter's configuration is code, and the answer may have changed it.
  const { confined } = await context.ports.sandbox.isolation();
  return confined && explainRefusedAcceptanceTest(edits) === null
    ? (await formatAnswer(context, edits, signal)).edits
    : edits;
}

/**
 * The test, if it is allowed, parses and fails today; otherwise the reason why it is refused. Throws errors that
 * another attempt cannot solve.
 */
async function showFailing(
  context: SessionContext,
  edits: readonly FileEdit[],
  operation: Operation,
): Promise<AcceptanceOutcome> {
  const refusal = explainRefusedAcceptanceTest(edits);
  if (refusal !== null) return { refused: refusal };
  if (edits.some(({ after }) => redact(after) !== after)) return { refused: SECRET_REASON };
  const { signal } = operation;
  try {
    const draft = await draftEdits(
      context,
      { title: 'An acceptance test', rationale: '', edits, author: 'model' },
      signal,
    );
    const verifyContext = await createUnresumedVerifyContext(context, operation);
    const { verdicts } = await verifyProposal(
      { ...verifyContext, only: ['applies', 'syntax'], atOnce: true },
      draft,
      signal,
    );
    const failedVerdict = verdicts.find(({ outcome }) => outcome === 'failed');
    if (failedVerdict) return { refused: failedVerdict.reason };
    const failureToday = await runAcceptanceTest(verifyContext, draft.edits, signal);
    if ('refused' in failureToday) return failureToday;
    const files = draft.edits.map(({ path, before, after }) => ({ path, before, after: after ?? '' }));
    return { files, failure: failureToday.failure };
  } catch (error) {
    throwIfCancelled(signal);
    if (error instanceof SelfwareError && RETRIABLE_REASONS.has(error.reason)) return { refused: error.message };
    throw error;
  }
}
