// Orders kinds of changes by their value for a maintainer, for anybody who shows or tries the most valuable one first.

import type { Opportunity } from '../model.ts';
import type { RuleId } from '../rules/allRules.ts';

/**
 * The kinds of changes, the most valuable first: a fault with its call, a test that notices mistakes that no other test
 * notices, code or types that hide faults or that nobody uses, simpler or faster code, and style.
 */
export const WORTHS = ['fault', 'test', 'removal', 'simplification', 'style'] as const;
export type Worth = (typeof WORTHS)[number];

const WORTH_BY_RULE: Readonly<Record<RuleId, Worth>> = {
  'await-in-loop': 'simplification',
  'cognitive-complexity': 'simplification',
  'collapsible-if': 'style',
  'complex-condition': 'simplification',
  counterexample: 'fault',
  'deep-nesting': 'simplification',
  'disabled-test': 'test',
  'duplicate-code': 'simplification',
  'else-after-return': 'style',
  'empty-branch': 'removal',
  'flaky-test': 'test',
  'floating-promise': 'fault',
  'growing-copy': 'simplification',
  'import-cycle': 'simplification',
  'index-loop': 'style',
  'large-file': 'simplification',
  'legacy-call': 'simplification',
  'lonely-if': 'style',
  'long-function': 'simplification',
  'lost-cause': 'removal',
  'many-parameters': 'simplification',
  'near-duplicate': 'simplification',
  'needless-await': 'style',
  'needless-copy': 'style',
  'needless-jump': 'style',
  'nested-if': 'simplification',
  'nested-search': 'simplification',
  'nullish-coalescing': 'style',
  'optional-chain': 'style',
  'prefer-const': 'style',
  'redundant-boolean': 'style',
  'secret-default': 'fault',
  'silent-rejection': 'fault',
  'string-concat': 'style',
  'suppression-without-reason': 'style',
  'swallowed-error': 'fault',
  'sync-io': 'simplification',
  'test-gap': 'test',
  'type-hole': 'removal',
  'unawaited-rejects': 'fault',
  'undocumented-export': 'style',
  'unexplained-export': 'style',
  'unguarded-code': 'test',
  'unreachable-code': 'removal',
  'unused-dependency': 'removal',
  'unused-export': 'removal',
  'unused-file': 'removal',
  'unused-import': 'removal',
  'unused-local': 'removal',
  'unused-parameter': 'removal',
  'unused-suppression': 'style',
  'useless-catch': 'removal',
  'vacuous-doc': 'style',
  'work-in-loop': 'simplification',
};

/** The value of what a rule finds. Findings of linters and of learned recipes are simplifications at most. */
export function worthOf({ rule }: Pick<Opportunity, 'rule'>): Worth {
  return WORTH_BY_RULE[rule as RuleId] ?? (rule.startsWith('learned/') ? 'simplification' : 'style');
}

/** The rules of these opportunities, together by their value, the most valuable first. */
export function rulesByWorth(
  opportunities: Iterable<Pick<Opportunity, 'rule'>>,
): readonly { readonly worth: Worth; readonly rules: readonly string[] }[] {
  const rules = new Set<string>();
  for (const { rule } of opportunities) rules.add(rule);
  return WORTHS.map((worth) => ({ worth, rules: [...rules].filter((rule) => worthOf({ rule }) === worth) })).filter(
    (group) => group.rules.length > 0,
  );
}
