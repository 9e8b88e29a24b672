// Judges an answer by the gates that run no command of the repository, before it is filed. These gates take less than a
// second together, so tests have to run only for promising answers.

import { gatesOfStages } from '../../model/gateStages.ts';
import { verifyProposal } from '../../verify/verify.ts';
import { isGainPossible } from '../../verify/claims/claimVerdicts.ts';
import type { Operation } from '../../operation.ts';
import type { SessionContext } from '../context.ts';
import { draftEdits } from '../propose/proposingEdits.ts';
import type { ExternalEdits } from '../propose/requests.ts';
import { createUnresumedVerifyContext } from '../verify/verifying.ts';

/** The gates that run no command of the repository. */
const QUICK_GATES = gatesOfStages('text');

/** The result of the gates that run no command. */
export interface QuickGatesResult {
  /** The reason why no further gate needs to run, as a sentence; null if the answer is promising. */
  readonly refused: string | null;
  /** The gate that gave the reason; null if there is no reason. */
  readonly gate: string | null;
  /** Points that the change gains; null if unknown. */
  readonly gain: number | null;
}

/** Runs the gates. Throws the errors of `proposeEdits` for edits that cannot be filed, and `cancelled`. */
export async function runQuickGates(
  context: SessionContext,
  externalEdits: ExternalEdits,
  operation: Operation,
): Promise<QuickGatesResult> {
  const proposal = await draftEdits(context, externalEdits, operation.signal);
  const verifyContext = await createUnresumedVerifyContext(context, operation);
  const { verdicts, pointsBefore, pointsAfter } = await verifyProposal(
    { ...verifyContext, only: QUICK_GATES, atOnce: true },
    proposal,
    operation.signal,
  );
  const failedVerdict = verdicts.find(
    (verdict) => verdict.outcome === 'failed' || (verdict.gate === 'score' && !isGainPossible(verdict)),
  );
  return {
    refused: failedVerdict ? `${failedVerdict.gate}: ${failedVerdict.reason}` : null,
    gate: failedVerdict?.gate ?? null,
    gain: pointsBefore && pointsAfter ? pointsAfter.total - pointsBefore.total : null,
  };
}
