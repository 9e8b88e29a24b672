// Which proposals share a run of all tests, and which claims hold whatever else changes meanwhile.

import { expect, test } from 'vitest';
import type { FileEdit, Proposal } from '../../../server/src/core/model.ts';
import { findJoinableClaim, isIndependentClaim } from '../../../server/src/core/session/verify/joinableClaim.ts';
import { proposalOf } from '../verify/verifying.ts';

const HEAD = "import { expect, test } from 'vitest';\nimport { sum } from '../src/sum.js';\n";
const CASE = "test('sum returns 3', () => {\n  expect(sum(1, 2)).toBe(3);\n});\n";

function byRecipe(...edits: readonly FileEdit[]): Proposal {
  return { ...proposalOf(edits), recipe: 'characterization-test', author: 'recipe' };
}

const added = byRecipe({ path: 'test/sum.test.js', before: HEAD, after: `${HEAD}${CASE}` });
const created = byRecipe({ path: 'test/sum.test.js', before: null, after: `${HEAD}${CASE}` });
const code: Proposal = {
  ...byRecipe({ path: 'src/sum.js', before: 'let a = 1;\n', after: 'const a = 1;\n' }),
  recipe: 'for-of',
};

test('tests of recipes that only add cases share a run of all tests', () => {
  expect(findJoinableClaim(added)).toBe('tests');
  expect(findJoinableClaim(created)).toBe('tests');
  expect(findJoinableClaim(code)).toBe('points');
});

test('tests by others, and tests that change what other tests share, have runs of their own', () => {
  expect(findJoinableClaim({ ...added, author: 'model' })).toBeNull();
  const hook = 'beforeEach(() => {\n  sum.calls = 0;\n});\n';
  const stub = "test('sum', () => {\n  vi.stubGlobal('fetch', () => 1);\n  expect(sum(1, 2)).toBe(3);\n});\n";
  for (const text of [hook, stub])
    expect(findJoinableClaim(byRecipe({ path: 'test/sum.test.js', before: HEAD, after: `${HEAD}${text}` }))).toBeNull();
});

test('another change may notice the mistake of new tests, so their claim does not hold whatever changes', () => {
  expect(isIndependentClaim(code)).toBe(true);
  expect(isIndependentClaim(added)).toBe(false);
});
