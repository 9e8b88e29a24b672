// Orders changes by their worth to a maintainer, so that the most valuable ones are shown or tried first.

import type { Opportunity } from '../model.ts';
import type { WorkKind } from '../model/workScope.ts';
import { ruleFacts, type RuleId } from '../rules/allRules.ts';
import { WORTHS, type RuleFacts, type Worth } from '../rules/facts.ts';

/**
 * The worth of the findings of a rule. Findings of linters count as style, and those of learned recipes as
 * simplifications.
 */
export function worthOf(rule: string): Worth {
  const facts: RuleFacts | undefined = Object.hasOwn(ruleFacts, rule) ? ruleFacts[rule as RuleId] : undefined;
  return facts?.worth ?? (rule.startsWith('learned/') ? 'simplification' : 'style');
}

/** The rules that find faults and missing tests, which a night tries before all other rules. */
export const MOST_VALUABLE_RULES: readonly string[] = Object.keys(ruleFacts).filter((rule) =>
  ['fault', 'test'].includes(worthOf(rule)),
);

/** The rank of a rule by its worth, from 0 for faults upwards. */
export function rankByWorth(rule: string): number {
  return WORTHS.indexOf(worthOf(rule));
}

const KIND_BY_WORTH: Readonly<Record<Worth, WorkKind>> = {
  fault: 'fixes',
  test: 'tests',
  removal: 'dead-code',
  simplification: 'refactoring',
  style: 'style',
};
/** Rules whose kind does not follow from their worth. */
const KIND_BY_RULE: ReadonlyMap<string, WorkKind> = new Map([
  ['type-hole', 'types'],
  ['lost-cause', 'fixes'],
]);

/** The kind of work to which a change for this rule belongs. */
export function workKindOf(rule: string): WorkKind {
  return KIND_BY_RULE.get(rule) ?? KIND_BY_WORTH[worthOf(rule)];
}

/** The rules of these opportunities, grouped by their worth, the most valuable first. */
export function groupRulesByWorth(
  opportunities: Iterable<Pick<Opportunity, 'rule'>>,
): readonly { readonly worth: Worth; readonly rules: readonly string[] }[] {
  const rules = new Set<string>();
  for (const { rule } of opportunities) rules.add(rule);
  return WORTHS.map((worth) => ({ worth, rules: [...rules].filter((rule) => worthOf(rule) === worth) })).filter(
    (group) => group.rules.length > 0,
  );
}
