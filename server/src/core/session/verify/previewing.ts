// Previews a proposal: the gates run immediately. If that saves much time, only the tests that reach the change run. A
// pass with only these tests is not recorded. The proposal stays unverified, and cannot be applied on this evidence.

import type { Proposal } from '../../model.ts';
import { authorOf } from '../../model/authors.ts';
import { GATE_ORDER, type GateName } from '../../model/gates.ts';
import { gatesOfStages } from '../../model/gateStages.ts';
import type { Operation } from '../../operation.ts';
import { onlyAddsCases } from '../../verify/claims/addedTests.ts';
import { findShownClaim } from '../../verify/claims/claimVerdicts.ts';
import { determineStrength, ranOnlyInPart } from '../../verify/strength.ts';
import { verifyProposal } from '../../verify/verify.ts';
import { requireAllowed } from '../allowance.ts';
import type { SessionContext } from '../context.ts';
import { notifyIfNotIsolated } from './isolation.ts';
import { countTestFiles, selectTestsForAddedTests, selectTestsForPreview } from './reachingTests.ts';
import { readTreeState } from './treeState.ts';
import { withVerificationLock } from './verificationLock.ts';
import { createUnresumedVerifyContext, recordOutcome, requireProposal, verify } from './verifying.ts';

/** Number of test files from which on running them takes long. */
const MANY_TEST_FILES = 60;
/**
 * Gates that check the whole repository that a preview of added tests skips. The verification runs them before the
 * tests are applied.
 */
const SLOW_CHECKS: ReadonlySet<GateName> = new Set(gatesOfStages('checks'));

/**
 * Returns the proposal with its verdicts. If all tests ran, it is verified as by `verify`. If only some tests ran, it
 * keeps the status `proposed`, and the ledger records nothing unless a gate failed. If the selected tests show no gain,
 * all tests run, because they may show it. Throws the errors of `verify`.
 */
export async function previewProposal(context: SessionContext, id: string, operation: Operation): Promise<Proposal> {
  const proposal = await requireProposal(context, id);
  const testFiles = context.trusted && proposal.status === 'proposed' ? chooseTestFiles(context, proposal) : null;
  if (testFiles === null) return verify(context, id, operation, { atOnce: true });
  await requireAllowed(context, authorOf(proposal), 'run');
  const previewedProposal = await withVerificationLock(context, id, () =>
    runPreview(context, proposal, testFiles, operation),
  );
  return previewedProposal ?? verify(context, id, operation, { atOnce: true });
}

/** True if a preview of the proposal runs many test files. */
export function needsManyTests(context: SessionContext, proposal: Proposal): boolean {
  const count = chooseTestFiles(context, proposal)?.length ?? countTestFiles(context.state.analyses.keys());
  return count >= MANY_TEST_FILES;
}

/** The test files that are enough for a preview; null if all tests should run. */
function chooseTestFiles(
  { state: { imports, analyses } }: SessionContext,
  { edits, opportunity }: Proposal,
): readonly string[] | null {
  return onlyAddsCases(edits)
    ? selectTestsForAddedTests(imports, analyses.keys(), opportunity.path, edits)
    : selectTestsForPreview(imports, analyses.keys(), edits);
}

/** Runs the gates with these tests only. Null if they show no gain and no gate failed. */
async function runPreview(
  context: SessionContext,
  proposal: Proposal,
  testFiles: readonly string[],
  operation: Operation,
): Promise<Proposal | null> {
  const { id } = proposal;
  await notifyIfNotIsolated(context);
  const tree = (await readTreeState(context))?.key ?? null;
  // Verdicts of only some tests must not be stored for a complete verification.
  const verifyContext = await createUnresumedVerifyContext(context, operation);
  // The compiler has accepted the calls of added tests when these were written, and added cases change no other code.
  // The points for lines that no test ran require the coverage of all tests.
  const limitsForAddedCases = onlyAddsCases(proposal.edits)
    ? { only: GATE_ORDER.filter((gate) => !SLOW_CHECKS.has(gate)), uncovered: async () => null }
    : {};
  const answer = await verifyProposal(
    { ...verifyContext, atOnce: true, testFiles, ...limitsForAddedCases },
    proposal,
    operation.signal,
  );
  const { verdicts, pointsBefore, pointsAfter } = answer;
  if (!ranOnlyInPart(verdicts) || verdicts.some(({ outcome }) => outcome === 'failed')) {
    await context.ledger.record({ type: 'verifying', data: { proposal: id } });
    await recordOutcome(context, proposal, answer, tree);
    context.emit({ type: 'status' });
    return requireProposal(context, id);
  }
  if (answer.outcome === 'refused') return null;
  return {
    ...proposal,
    verdicts,
    claim: findShownClaim(verdicts),
    strength: determineStrength(verdicts),
    pointsBefore,
    pointsAfter,
  };
}

/** True for the result of a preview that no gate refused, and in which only some tests ran. */
export function isPreviewed({ status, verdicts }: Pick<Proposal, 'status' | 'verdicts'>): boolean {
  return status === 'proposed' && verdicts.length > 0;
}
