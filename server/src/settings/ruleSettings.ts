// Defines and reads the settings of single rules: off, another severity, a higher limit.

import * as z from 'zod';
import { findRule, rules } from '../core/analysis/rules.ts';

const level = z.enum(['off', 'hint', 'information', 'warning']);

/** By rule id. Missing values keep the rule's default. */
export type RuleSettings = Readonly<
  Record<string, RuleLevel | { readonly severity?: RuleLevel | undefined; readonly limit?: number | undefined }>
>;
export type RuleLevel = z.infer<typeof level>;

const shape = Object.fromEntries(
  rules.map(({ id, description, defaultOn, severity, limit }) => [
    id,
    ruleSchema(limit)
      .optional()
      .describe(`${description} Without a setting: ${defaultOn ? severity : 'off'}.`),
  ]),
);

const strict = z.strictObject(shape);

/**
 * Reads the settings rule by rule, so that a mistake in one does not affect the others. `problems`: the unusable
 * settings.
 */
export function readRuleSettings(raw: unknown): { readonly rules: RuleSettings; readonly problems: readonly string[] } {
  if (typeof raw !== 'object' || raw === null || Array.isArray(raw))
    return {
      rules: {},
      problems: [
        'selfware.analysis.rules: an object with rules is expected, such as {"long-function": "off"}. The default is used.',
      ],
    };
  const problems: string[] = [];
  const ruleSettings: Record<string, RuleSettings[string]> = {};
  for (const [id, value] of Object.entries(raw)) {
    const schema = Object.hasOwn(shape, id) ? shape[id] : undefined;
    const parsed = schema?.safeParse(value);
    if (!parsed) problems.push(`selfware.analysis.rules: there is no rule ${id}.`);
    else if (parsed.success) ruleSettings[id] = parsed.data as RuleSettings[string];
    else problems.push(`selfware.analysis.rules: ${id} takes ${describeExpectation(id)}. It is left as it is.`);
  }
  return { rules: ruleSettings, problems };
}

/** The strict schema, for package.json. */
export const ruleSettingsSchema = strict.default({});

function ruleSchema(limit: (typeof rules)[number]['limit']) {
  if (!limit) return level;
  return z.union([
    level,
    z.strictObject({
      severity: level.optional(),
      limit: z
        .int()
        .min(limit.least)
        .max(1_000_000)
        .optional()
        .describe(`Shown only above so many ${limit.figure}; from ${limit.least}.`),
    }),
  ]);
}

function describeExpectation(id: string): string {
  const limit = findRule(id)?.limit;
  const levels = level.options.map((option) => `"${option}"`).join(', ');
  return limit ? `${levels}, or {"severity": …, "limit": a whole number from ${limit.least}}` : levels;
}
