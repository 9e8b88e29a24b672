// The rules as plain data that any layer may show, without a parser behind it. Each rule has a folder in core/rules.

import { ruleFacts, type RuleId } from '../rules/allRules.ts';
import type { Need, RuleFacts } from '../rules/facts.ts';

export interface Rule extends Omit<Required<RuleFacts>, 'languages' | 'tests' | 'defaultOn' | 'limit'> {
  readonly id: RuleId;
  /** Documentation page, relative to the product's root. */
  readonly page: string;
  /** `script`: TypeScript and JavaScript. */
  readonly languages: 'all' | 'script';
  /** Whether test code is looked at too. */
  readonly tests: boolean;
  /** False for rules that a team has to ask for. */
  readonly defaultOn: boolean;
  readonly limit: RuleFacts['limit'] | null;
  /** `project`: needs more than one file, so it is computed when the whole is asked for (analysis/project). */
  readonly scope: 'file' | 'project';
}

export const RULE_IDS = Object.keys(ruleFacts) as readonly RuleId[];

export const rules: readonly Rule[] = RULE_IDS.map((id) => ruleOf(id, ruleFacts[id]));

/** By id; null for what is no rule of ours, such as one of a linter. */
export function ruleNamed(id: string): Rule | null {
  return rules.find((rule) => rule.id === id) ?? null;
}

/** What only the checker tells: while a person types, these are as they were at the last pause. */
export const CHECKED_RULES = thatNeed('checker');

/** What one walk over one file tells: no name is looked up for these, and no other rule is asked. */
export const WALK_RULES = thatNeed('walk');

const ALONE: ReadonlySet<string> = new Set([...WALK_RULES, ...thatNeed('names'), ...CHECKED_RULES]);

/** Rules that look at one file and at nothing that other rules have found. */
export function foundAlone(asked: Iterable<string>): boolean {
  return [...asked].every((rule) => ALONE.has(rule));
}

function thatNeed(need: Need): ReadonlySet<string> {
  return new Set(rules.filter(({ needs }) => needs === need).map(({ id }) => id));
}

function ruleOf(id: RuleId, { needs = 'names', inputs = [], ...facts }: RuleFacts): Rule {
  return {
    id,
    title: facts.title,
    severity: facts.severity,
    recipe: facts.recipe,
    description: facts.description,
    page: `server/src/core/rules/${id}/rule.md`,
    languages: facts.languages ?? 'script',
    tests: facts.tests ?? false,
    defaultOn: facts.defaultOn ?? true,
    scope: needs === 'project' ? 'project' : 'file',
    needs,
    inputs,
    limit: facts.limit ?? null,
  };
}
