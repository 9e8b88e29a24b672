// Lists the rules and looks them up, for any layer, without a parser. Each rule has a folder in core/rules.

import { ruleFacts, type RuleId } from '../rules/allRules.ts';
import type { Need, RuleFacts } from '../rules/facts.ts';

/** A rule, with the defaults of its facts filled in. */
export interface Rule extends Omit<Required<RuleFacts>, 'languages' | 'tests' | 'defaultOn' | 'limit'> {
  readonly id: RuleId;
  /** Documentation page, relative to the product's root. */
  readonly page: string;
  /** `script`: TypeScript and JavaScript. */
  readonly languages: 'all' | 'script' | 'python';
  /** True if the rule applies to test code, too. */
  readonly tests: boolean;
  /** False for rules that a team has to switch on. */
  readonly defaultOn: boolean;
  readonly limit: RuleFacts['limit'] | null;
  /**
   * `project`: the rule needs more than one file. It is computed only together with the whole project
   * (analysis/project), or by a run of the code.
   */
  readonly scope: 'file' | 'project';
}

/** The ids of all rules. */
export const RULE_IDS = Object.keys(ruleFacts) as readonly RuleId[];

/** All rules, in the order of `RULE_IDS`. */
export const rules: readonly Rule[] = RULE_IDS.map((id) => createRule(id, ruleFacts[id]));

/** The rule with this id; null for rules of other tools, such as a linter. */
export function findRule(id: string): Rule | null {
  return rules.find((rule) => rule.id === id) ?? null;
}

/** Rules that need the type checker. While a person types, their findings are those of the last complete analysis. */
export const CHECKED_RULES = selectRulesThatNeed('checker');

/** Rules that one walk over one file can check, without resolving names and without other rules. */
export const WALK_RULES = selectRulesThatNeed('walk');

/** Rules that need neither several files nor the findings of other rules. */
const SINGLE_FILE_RULES: ReadonlySet<string> = new Set([
  ...WALK_RULES,
  ...selectRulesThatNeed('names'),
  ...CHECKED_RULES,
]);

/** True if all these rules examine single files and do not use the findings of other rules. */
export function areSingleFileRules(requestedRules: Iterable<string>): boolean {
  return [...requestedRules].every((rule) => SINGLE_FILE_RULES.has(rule));
}

function selectRulesThatNeed(need: Need): ReadonlySet<string> {
  return new Set(rules.filter(({ needs }) => needs === need).map(({ id }) => id));
}

/** Fills in the defaults of a rule's facts. */
function createRule(id: RuleId, { needs = 'names', inputs = [], ...facts }: RuleFacts): Rule {
  return {
    id,
    title: facts.title,
    severity: facts.severity,
    worth: facts.worth,
    recipe: facts.recipe,
    description: facts.description,
    page: `server/src/core/rules/${id}/rule.md`,
    languages: facts.languages ?? 'script',
    tests: facts.tests ?? false,
    defaultOn: facts.defaultOn ?? true,
    scope: needs === 'project' || needs === 'run' ? 'project' : 'file',
    needs,
    inputs,
    limit: facts.limit ?? null,
  };
}
