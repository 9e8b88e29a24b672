// Lists the rules of linters that report the same place as a bug pattern, so that no place is listed twice.

import { wordSet } from '../../../util/wordSet.ts';

/** Rules of ESLint, oxlint and Biome, without the name of a plugin, by the name of the pattern. */
const LINTER_RULES: ReadonlyMap<string, ReadonlySet<string>> = new Map([
  ['compared with itself', wordSet('no-self-compare noSelfCompare')],
  ['compared with NaN', wordSet('use-isnan useIsNan')],
  ['typeof with no type', wordSet('valid-typeof useValidTypeof')],
  ['compared with a new object', wordSet('no-constant-binary-expression noConstantBinaryExpressions')],
  ['negated left side', wordSet('no-unsafe-negation noUnsafeNegation')],
  ['same case twice', wordSet('no-duplicate-case noDuplicateCase')],
  ['same condition twice', wordSet('no-dupe-else-if noDuplicateElseIf')],
  ['assignment for a comparison', wordSet('no-cond-assign noAssignInExpressions no-constant-condition')],
  ['same operand twice', wordSet('no-identical-expressions double-comparisons no-constant-binary-expression')],
  ['literal decides', wordSet('no-constant-condition noConstantCondition no-constant-binary-expression')],
  ['fallback that is never used', wordSet('no-constant-binary-expression noConstantBinaryExpressions')],
  ['same result twice', wordSet('no-all-duplicated-branches')],
  ['same key twice', wordSet('no-dupe-keys noDuplicateObjectKeys')],
  ['same method twice', wordSet('no-dupe-class-members noDuplicateClassMembers')],
  ['assigned to itself', wordSet('no-self-assign noSelfAssign')],
  ['comparison that nobody uses', wordSet('no-unused-expressions noUnusedExpressions')],
  ['dead store', wordSet('no-useless-assignment no-dead-store')],
  ['error that nobody throws', wordSet('missing-throw no-new no-unused-expressions')],
  ['awaited twice', wordSet('await-thenable')],
  ['async executor', wordSet('no-async-promise-executor noAsyncPromiseExecutor')],
  ['always true', wordSet('no-unnecessary-condition noUnnecessaryConditions')],
  ['pattern with a memory', wordSet('stateful-regex')],
  ['numbers in the order of texts', wordSet('no-alphabetical-sort require-array-sort-compare')],
  ['index as a base', wordSet('no-array-callback-reference')],
  ['loop in the wrong direction', wordSet('for-direction useValidForDirection')],
]);

/** True if this rule of a linter, such as `eslint(no-self-compare)` or `suspicious/noSelfCompare`, finds the pattern. */
export function isFoundByLinterRule(pattern: string, linterRule: string): boolean {
  const name = linterRule.replace(/\)$/, '').split(/[/(]/).at(-1) ?? '';
  return LINTER_RULES.get(pattern)?.has(name) === true;
}
