// Combines what a rule says about itself with what the settings say about it.

import type { Severity } from '../model.ts';
import type { RuleView } from './visibility.ts';

type Level = Severity | 'off';

export interface RuleDefaults {
  readonly id: string;
  readonly defaultOn: boolean;
  /** Figure of the evidence that a limit is about; undefined where the rule measures nothing. */
  readonly measures: string | undefined;
}

/** By rule id. `disabled` are off whatever else is said of them. */
export function ruleViews(
  rules: readonly RuleDefaults[],
  settings: Readonly<
    Record<string, Level | { readonly severity?: Level | undefined; readonly limit?: number | undefined }>
  >,
  disabled: readonly string[],
): ReadonlyMap<string, RuleView> {
  const off = new Set(disabled);
  return new Map(
    rules.map(({ id, defaultOn, measures }) => {
      const said = settings[id];
      const { severity, limit } = typeof said === 'string' ? { severity: said, limit: undefined } : (said ?? {});
      // Whoever gives a limit wants to see the rule.
      const isOff = off.has(id) || severity === 'off' ? 'off' : !defaultOn && said === undefined ? 'quiet' : false;
      return [
        id,
        {
          off: isOff,
          severity: severity === undefined || severity === 'off' ? null : severity,
          limit: limit !== undefined && measures !== undefined ? { evidence: measures, above: limit } : null,
        },
      ];
    }),
  );
}
