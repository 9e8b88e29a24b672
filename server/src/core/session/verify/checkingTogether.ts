// Checks several proposals together: types and tests run once on the tree with all of them. If that fails, the set is
// halved until each part passes or is a single proposal, which is then verified separately.

import { describeError, throwIfCancelled } from '../../../util/typedError.ts';
import { authorOf } from '../../model/authors.ts';
import type { Proposal } from '../../model.ts';
import type { Operation } from '../../operation.ts';
import type { VerifyContext } from '../../verify/context.ts';
import type { CheckedTogether } from '../../verify/checkedTogether.ts';
import { combineProposals, TREE_GATES } from '../../verify/sharedVerdicts.ts';
import { verifyProposal } from '../../verify/verify.ts';
import { requireAllowed } from '../allowance.ts';
import type { SessionContext } from '../context.ts';
import { hasPassed, rememberTree, computeTreeWith } from './checkedTrees.ts';
import { createVerifyContext } from './verifying.ts';

/**
 * The sets that passed: each has at least two proposals, and no proposal is in two sets. A proposal in no set has to be
 * verified separately. Records nothing, not even if the process dies meanwhile, so an unattended run that was continued
 * checks no proposals together. Throws `cancelled`, and `forbidden` or `paused` if an author may run nothing.
 */
export async function checkTogether(
  context: SessionContext,
  proposals: readonly Proposal[],
  operation: Operation,
): Promise<readonly CheckedTogether[]> {
  for (const proposal of proposals) await requireAllowed(context, authorOf(proposal), 'run');
  const verifyContext = await createVerifyContext(context, operation);
  const checkPart = async (part: readonly Proposal[]): Promise<readonly CheckedTogether[]> => {
    if (part.length < 2) return [];
    const { outcome, verdicts, reach } = await checkUnion(context, part, operation, verifyContext);
    if (outcome === 'passed') return [{ proposals: part.map(({ id }) => id), members: part, verdicts, reach }];
    // The cause of an unknown outcome is not a single change, so halves are not tried.
    if (outcome === 'unknown') return [];
    const middle = Math.ceil(part.length / 2);
    return [...(await checkPart(part.slice(0, middle))), ...(await checkPart(part.slice(middle)))];
  };
  return checkPart(proposals);
}

/**
 * True if types and tests pass on the current tree with all these proposals. Also false if two of them edit the same
 * file. A tree that has passed in this process is not checked again.
 */
export async function doPassTogether(
  context: SessionContext,
  proposals: readonly Proposal[],
  operation: Operation,
): Promise<boolean> {
  if (!editDifferentFiles(proposals)) return false;
  const tree = await computeTreeWith(
    context,
    proposals.flatMap(({ edits }) => edits),
  );
  if (tree && hasPassed(context, tree)) return true;
  const verifyContext = await createVerifyContext(context, operation);
  return (await checkUnion(context, proposals, operation, verifyContext)).outcome === 'passed';
}

/**
 * The outcome of types and tests on the tree with all of these proposals, and the verdicts that passed. `passed`: the
 * tests passed, and the types did not fail. `unknown`: neither passed nor failed, for example because Selfware itself
 * failed.
 */
async function checkUnion(
  context: SessionContext,
  [first, ...otherProposals]: readonly Proposal[],
  { signal }: Operation,
  verifyContext: VerifyContext,
): Promise<Pick<CheckedTogether, 'verdicts' | 'reach'> & { readonly outcome: 'passed' | 'failed' | 'unknown' }> {
  if (first === undefined) return { outcome: 'unknown', verdicts: [], reach: null };
  const combinedProposal = combineProposals([first, ...otherProposals]);
  let reach: CheckedTogether['reach'] = null;
  const onReach = (files: CheckedTogether['reach']) => void (reach = files);
  try {
    const tree = await computeTreeWith(context, combinedProposal.edits);
    const { verdicts } = await verifyProposal(
      { ...verifyContext, only: ['applies', ...TREE_GATES], atOnce: true, onReach },
      combinedProposal,
      signal,
    );
    const passedVerdicts = verdicts.filter(({ gate, outcome }) => TREE_GATES.includes(gate) && outcome === 'passed');
    if (verdicts.some(({ outcome }) => outcome === 'failed'))
      return { outcome: 'failed', verdicts: passedVerdicts, reach };
    if (!passedVerdicts.some(({ gate }) => gate === 'tests'))
      return { outcome: 'unknown', verdicts: passedVerdicts, reach };
    if (tree) rememberTree(context, tree);
    return { outcome: 'passed', verdicts: passedVerdicts, reach };
  } catch (error) {
    throwIfCancelled(signal);
    context.ports.log.write('warn', `Changes could not be checked together: ${describeError(error)}`, error);
    return { outcome: 'unknown', verdicts: [], reach: null };
  }
}

/** True if no file is edited by two of the proposals. */
function editDifferentFiles(proposals: readonly Proposal[]): boolean {
  const paths = proposals.flatMap(({ edits }) => edits.map(({ path }) => path));
  return new Set(paths).size === paths.length;
}
