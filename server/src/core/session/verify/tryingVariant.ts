// Judges other edits of a proposal (a variant) by the gates, as if they were a proposal. Nothing is filed.

import { SelfwareError } from '../../../util/typedError.ts';
import type { FileEdit, Proposal } from '../../model.ts';
import type { Operation } from '../../operation.ts';
import { findShownClaim } from '../../verify/claims/claimVerdicts.ts';
import { judgeVariant, type TriedVariant } from '../../verify/cheats/judgeVariant.ts';
import { verifyProposal } from '../../verify/verify.ts';
import type { SessionContext } from '../context.ts';
import { draftProposal } from '../propose/recordProposal.ts';
import { areFilesUnchanged, createUnresumedVerifyContext } from './verifying.ts';

/**
 * Judges a variant of a proposal. Throws `untrusted`, `cancelled`, and `stale` if the edits do not start from the files
 * of this session.
 */
export async function tryVariant(
  context: SessionContext,
  proposal: Proposal,
  edits: readonly FileEdit[],
  operation: Operation,
): Promise<TriedVariant> {
  const { signal } = operation;
  if (!context.trusted) throw new SelfwareError('untrusted', 'This workspace is not trusted, so nothing of it is run.');
  if (!(await areFilesUnchanged(context, edits)))
    throw new SelfwareError('stale', 'The files are no longer as they were before the change.');
  const { title, rationale, recipe, opportunity, base, author, claimed, addresses, nearby } = proposal;
  const variant = await draftProposal(context, { ...opportunity, recipe }, { edits, title, rationale }, base, signal, {
    ...(author === undefined ? {} : { author }),
    ...(claimed === undefined ? {} : { claimed }),
    ...(addresses === undefined ? {} : { addresses }),
    ...(nearby ? { nearby } : {}),
  });
  const verifyContext = await createUnresumedVerifyContext(context, operation);
  const verification = await verifyProposal({ ...verifyContext, atOnce: true }, variant, signal);
  return judgeVariant(verification, (verdicts) =>
    context.charter.reasonToAsk({ ...variant, verdicts, claim: findShownClaim(verdicts) }),
  );
}
