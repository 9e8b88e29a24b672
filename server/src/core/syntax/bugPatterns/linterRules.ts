// Lists the rules of linters that report the same place as a bug pattern, so that no place is listed twice.

import { createWordSet } from '../../../util/wordSet.ts';

/** Rules of ESLint, oxlint and Biome, without the name of a plugin, by the name of the pattern. */
const LINTER_RULES: ReadonlyMap<string, ReadonlySet<string>> = new Map([
  ['compared with itself', createWordSet('no-self-compare noSelfCompare')],
  ['compared with NaN', createWordSet('use-isnan useIsNan')],
  ['typeof with no type', createWordSet('valid-typeof useValidTypeof')],
  ['compared with a new object', createWordSet('no-constant-binary-expression noConstantBinaryExpressions')],
  ['negated left side', createWordSet('no-unsafe-negation noUnsafeNegation')],
  ['same case twice', createWordSet('no-duplicate-case noDuplicateCase')],
  ['same condition twice', createWordSet('no-dupe-else-if noDuplicateElseIf')],
  ['assignment for a comparison', createWordSet('no-cond-assign noAssignInExpressions no-constant-condition')],
  ['same operand twice', createWordSet('no-identical-expressions double-comparisons no-constant-binary-expression')],
  ['literal decides', createWordSet('no-constant-condition noConstantCondition no-constant-binary-expression')],
  ['fallback that is never used', createWordSet('no-constant-binary-expression noConstantBinaryExpressions')],
  ['same result twice', createWordSet('no-all-duplicated-branches')],
  ['same key twice', createWordSet('no-dupe-keys noDuplicateObjectKeys')],
  ['same method twice', createWordSet('no-dupe-class-members noDuplicateClassMembers')],
  ['assigned to itself', createWordSet('no-self-assign noSelfAssign')],
  ['comparison that nobody uses', createWordSet('no-unused-expressions noUnusedExpressions')],
  ['dead store', createWordSet('no-useless-assignment no-dead-store')],
  ['error that nobody throws', createWordSet('missing-throw no-new no-unused-expressions')],
  ['awaited twice', createWordSet('await-thenable')],
  ['async executor', createWordSet('no-async-promise-executor noAsyncPromiseExecutor')],
  ['always true', createWordSet('no-unnecessary-condition noUnnecessaryConditions')],
  ['pattern with a memory', createWordSet('stateful-regex')],
  ['numbers in the order of texts', createWordSet('no-alphabetical-sort require-array-sort-compare')],
  ['index as a base', createWordSet('no-array-callback-reference')],
  ['loop in the wrong direction', createWordSet('for-direction useValidForDirection')],
]);

/** True if this rule of a linter, such as `eslint(no-self-compare)` or `suspicious/noSelfCompare`, finds the pattern. */
export function isFoundByLinterRule(pattern: string, linterRule: string): boolean {
  const name = linterRule.replace(/\)$/, '').split(/[/(]/).at(-1) ?? '';
  return LINTER_RULES.get(pattern)?.has(name) === true;
}
