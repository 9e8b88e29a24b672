// Decides which proposals may share a run of types and tests.

import { authorOf } from '../../model/authors.ts';
import type { ClaimKind } from '../../model/claims.ts';
import type { Proposal } from '../../model.ts';
import { chooseClaims, LINTER_FIX } from '../propose/claims.ts';
import { isJudge } from './judgeFiles.ts';

/** Claims that may be checked together: other gates show them for each proposal separately. */
const JOINABLE_CLAIMS: readonly ClaimKind[] = ['points', 'findings'];

/**
 * The kind of claim by which a proposal may be checked together with others of the same kind. Null if it has to be
 * checked separately: a run is shared by changes of Selfware's recipes that edit no tests and no configuration and make
 * a single claim of a kind in `JOINABLE_CLAIMS`.
 */
export function findJoinableClaim(proposal: Proposal): ClaimKind | null {
  const { recipe, edits } = proposal;
  if (authorOf(proposal) !== 'recipe' || recipe === LINTER_FIX || edits.some(({ path }) => isJudge(path))) return null;
  const kinds = chooseClaims(proposal, edits);
  return kinds.length === 1 && JOINABLE_CLAIMS.includes(kinds[0]!) ? kinds[0]! : null;
}
