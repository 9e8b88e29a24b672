// What each proposal has to gain: most gain points, some gain what only the tests or the repository's own linter can
// count.

import { isTestFile } from '../../paths/tests.ts';
import { recipeFacts } from '../../propose/recipeTable.ts';
import type { GainOf } from '../../verify/gains.ts';

/** What proposals have in place of a recipe that the repository's own linter makes. */
export const LINTER_FIX = 'linter-fix';

/** A new test file adds nothing to the code that the ruler could count, and takes nothing away. */
export const gainOf: GainOf = ({ recipe }, edits) => {
  if (
    edits.length > 0 &&
    edits.every(({ path, before, after }) => before === null && after !== null && isTestFile(path))
  )
    return 'tests';
  if (recipe === LINTER_FIX) return 'findings';
  const tidies =
    edits.length > 0 &&
    recipeFacts(recipe) !== null &&
    edits.every(({ path, before, after }) => before !== null && after !== null && isTestFile(path));
  return tidies ? 'upkeep' : 'points';
};
