// Handles the option `--rule` of several commands: ids of rules, including rules that are off.

import { rules } from '../core/analysis/rules.ts';
import { isLearnedRule } from '../core/model/learnedRecipes.ts';
import { SelfwareError } from '../util/typedError.ts';

/** Adds the ids in a text, separated by commas, to those of earlier options. */
export function collectIds(ids: string, earlierIds: readonly string[] = []): readonly string[] {
  return [
    ...earlierIds,
    ...ids
      .split(',')
      .map((id) => id.trim())
      .filter((id) => id !== ''),
  ];
}

/** The settings, in the form of `--set`, that switch on those of the named rules that are off by default. */
export function listSettingsToSwitchOn(ids: readonly string[] = []): string[] {
  return rules
    .filter(({ id, defaultOn }) => !defaultOn && ids.includes(id))
    .map(({ id, severity }) => `analysis.rules=${JSON.stringify({ [id]: severity })}`);
}

/**
 * The ids of the named rules; null if the option is absent. Throws `usage` if a rule does not exist. Ids of learned
 * recipes are accepted without a check.
 */
export function parseRuleIds(ids: readonly string[] | undefined): ReadonlySet<string> | null {
  const unknownId = ids?.find((id) => !isLearnedRule(id) && !rules.some((rule) => rule.id === id));
  if (unknownId !== undefined)
    throw new SelfwareError('usage', `There is no rule ${unknownId}.`, {
      action: `Rules: ${rules.map(({ id }) => id).join(', ')}.`,
    });
  return ids ? new Set(ids) : null;
}
