// The option `--rule` of several commands: ids of rules, which may be off.

import { rules } from '../core/analysis/rules.ts';
import { isLearnedRule } from '../core/model/learnedRecipes.ts';
import { SelfwareError } from '../util/typedError.ts';

/** Adds ids, separated by commas, to those that were given before. */
export function collectIds(ids: string, before: readonly string[] = []): readonly string[] {
  return [
    ...before,
    ...ids
      .split(',')
      .map((id) => id.trim())
      .filter((id) => id !== ''),
  ];
}

/** Settings in the form of `--set` that switch on the named rules which are off by default. */
export function listSettingsToSwitchOn(ids: readonly string[] = []): string[] {
  return rules
    .filter(({ id, defaultOn }) => !defaultOn && ids.includes(id))
    .map(({ id, severity }) => `analysis.rules=${JSON.stringify({ [id]: severity })}`);
}

/** The named rules; null without names. Throws `usage` if there is no such rule. */
export function parseRuleIds(ids: readonly string[] | undefined): ReadonlySet<string> | null {
  const unknown = ids?.find((id) => !isLearnedRule(id) && !rules.some((rule) => rule.id === id));
  if (unknown !== undefined)
    throw new SelfwareError('usage', `There is no rule ${unknown}.`, {
      action: `Rules: ${rules.map(({ id }) => id).join(', ')}.`,
    });
  return ids ? new Set(ids) : null;
}
