// Decides which claims each proposal has to show: the claim that it states, or the claims that its author and the form
// of its edits allow.

import { isTestFile } from '../../paths/tests.ts';
import { parseLearnedId } from '../../model/learnedRecipes.ts';
import { findRecipeFacts } from '../../propose/recipeTable.ts';
import type { FileEdit } from '../../model.ts';
import type { ClaimKind } from '../../model/claims.ts';
import { CORRECT_EXAMPLE_RECIPE } from './recipeNames.ts';
import { isTestEdit } from '../../paths/testEdits.ts';
import { addsOnly, findClaimsByForm, type ClaimChooser } from '../../verify/claims/claimsOf.ts';

/** The recipe id of proposals that the repository's own linter makes. */
export const LINTER_FIX_RECIPE = 'linter-fix';

/**
 * Chooses the claims of a proposal, one of which it has to show. If it states a claim, only that one. Otherwise `tests`
 * if its edits only add tests; else the claim of its recipe: `findings` for fixes of a linter and for examples,
 * `request` for a learned recipe, `upkeep` if it changes only existing tests, and otherwise the claim in the facts of
 * the recipe, or `points`. For other authors, the form of the edits decides. Their new tests next to code may show that
 * they notice mistakes, if they show no fix.
 */
export const chooseClaims: ClaimChooser = ({ recipe, claimed }, edits) => {
  if (claimed !== undefined) return [claimed];
  const claimsByForm = findClaimsByForm(edits);
  if (claimsByForm[0] === 'tests') return claimsByForm;
  if (recipe === LINTER_FIX_RECIPE || recipe === CORRECT_EXAMPLE_RECIPE) return ['findings'];
  // A person has asked for the change, once for all places.
  if (parseLearnedId(recipe) !== null) return ['request'];
  const facts = findRecipeFacts(recipe);
  if (facts === null)
    return claimsByForm[0] === 'fix' && onlyAddsTests(edits) ? addTestsAfterFix(claimsByForm) : claimsByForm;
  const changesOnlyTests =
    edits.length > 0 && edits.every(({ path, before, after }) => before !== null && after !== null && isTestFile(path));
  return changesOnlyTests ? ['upkeep'] : [facts.claims ?? 'points'];
};

/** True if all edits of tests only add to them. */
function onlyAddsTests(edits: readonly FileEdit[]): boolean {
  return edits.filter(isTestEdit).every(addsOnly);
}

/** Inserts the claim `tests` after the claim `fix`. */
function addTestsAfterFix([fix, ...otherClaims]: readonly ClaimKind[]): readonly ClaimKind[] {
  return [fix!, 'tests', ...otherClaims];
}
