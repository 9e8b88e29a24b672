// Determines how each rule is shown, by its own defaults and the settings.

import type { Severity } from '../model.ts';
import type { RuleView } from './visibility.ts';

/** A severity in the settings; `off` switches the rule off. */
type Level = Severity | 'off';

/** The properties of a rule that determine how it is shown. */
export interface RuleDefaults {
  readonly id: string;
  /** False for a quiet rule, which is off unless the settings name it. */
  readonly defaultOn: boolean;
  /** The name of the figure in the evidence to which a limit applies; undefined if the rule measures none. */
  readonly measures: string | undefined;
}

/** The view of each rule, by its id. Rules in `disabled` are off, whatever the settings are. */
export function createRuleViews(
  rules: readonly RuleDefaults[],
  settings: Readonly<
    Record<string, Level | { readonly severity?: Level | undefined; readonly limit?: number | undefined }>
  >,
  disabled: readonly string[],
): ReadonlyMap<string, RuleView> {
  const disabledRules = new Set(disabled);
  return new Map(
    rules.map(({ id, defaultOn, measures }) => {
      const ruleSetting = settings[id];
      const { severity, limit } =
        typeof ruleSetting === 'string' ? { severity: ruleSetting, limit: undefined } : (ruleSetting ?? {});
      // Any setting for a quiet rule switches it on, even if it only sets a limit.
      const hiddenBy =
        disabledRules.has(id) || severity === 'off' ? 'off' : !defaultOn && ruleSetting === undefined ? 'quiet' : false;
      return [
        id,
        {
          hiddenBy,
          severity: severity === undefined || severity === 'off' ? null : severity,
          limit: limit !== undefined && measures !== undefined ? { evidence: measures, above: limit } : null,
        },
      ];
    }),
  );
}
