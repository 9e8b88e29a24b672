// Decides which proposals may share a run of types and tests.

import { authorOf } from '../../model/authors.ts';
import type { ClaimKind } from '../../model/claims.ts';
import type { Proposal } from '../../model.ts';
import { onlyAddsCases } from '../../verify/claims/addedTests.ts';
import { chooseClaims, LINTER_FIX_RECIPE } from '../propose/claims.ts';
import { isJudge } from './judgeFiles.ts';

/**
 * Claims of proposals that may be checked together. Other gates than types and tests show these claims for each
 * proposal separately.
 */
const JOINABLE_CLAIMS: readonly ClaimKind[] = ['points', 'findings', 'tests'];

/**
 * The kind of claim by which a proposal may be checked together with others of the same kind. Null if it has to be
 * checked separately. A run is shared only by changes of Selfware's recipes that make a single claim of a kind in
 * `JOINABLE_CLAIMS`, and edit no tests and no configuration. Changes that claim tests may only add cases, which neither
 * reach outside nor change what other tests share.
 */
export function findJoinableClaim(proposal: Proposal): ClaimKind | null {
  const { recipe, edits } = proposal;
  if (authorOf(proposal) !== 'recipe' || recipe === LINTER_FIX_RECIPE) return null;
  const [kind, ...otherKinds] = chooseClaims(proposal, edits);
  if (kind === undefined || otherKinds.length > 0 || !JOINABLE_CLAIMS.includes(kind)) return null;
  const canShareRun = kind === 'tests' ? onlyAddsCases(edits) : !edits.some(({ path }) => isJudge(path));
  return canShareRun ? kind : null;
}

/**
 * True if the claim holds whatever other changes are made meanwhile. A claim about tests does not, because another new
 * test may notice the same mistake.
 */
export function isIndependentClaim(proposal: Proposal): boolean {
  const kind = findJoinableClaim(proposal);
  return kind !== null && kind !== 'tests';
}
