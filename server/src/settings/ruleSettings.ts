// Defines and reads the settings of single rules: a rule can be off, or have another severity or limit.

import * as z from 'zod';
import { findRule, rules } from '../core/analysis/rules.ts';

const levelSchema = z.enum(['off', 'hint', 'information', 'warning']);

/** The settings of rules by rule id. A value that is absent keeps the default of the rule. */
export type RuleSettings = Readonly<
  Record<string, RuleLevel | { readonly severity?: RuleLevel | undefined; readonly limit?: number | undefined }>
>;
/** The severity with which the opportunities of a rule are shown, or `off`. */
export type RuleLevel = z.infer<typeof levelSchema>;

/** The schema of the setting of each rule, by the id of the rule. */
const schemaByRule = Object.fromEntries(
  rules.map(({ id, description, defaultOn, severity, limit }) => [
    id,
    createRuleSchema(limit)
      .optional()
      .describe(`${description} Without a setting: ${defaultOn ? severity : 'off'}.`),
  ]),
);

const strictSchema = z.strictObject(schemaByRule);

/**
 * Reads the settings rule by rule, so that a mistake in one does not affect the others. `problems`: a sentence for each
 * setting that cannot be used.
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
    const schema = Object.hasOwn(schemaByRule, id) ? schemaByRule[id] : undefined;
    const parsed = schema?.safeParse(value);
    if (!parsed) problems.push(`selfware.analysis.rules: there is no rule ${id}.`);
    else if (parsed.success) ruleSettings[id] = parsed.data as RuleSettings[string];
    else problems.push(`selfware.analysis.rules: ${id} takes ${describeExpectation(id)}. It is left as it is.`);
  }
  return { rules: ruleSettings, problems };
}

/** The schema for package.json. It does not allow unknown rules. */
export const ruleSettingsSchema = strictSchema.default({});

/** The schema of the setting of one rule; only a rule with a limit can have an object. */
function createRuleSchema(limit: (typeof rules)[number]['limit']) {
  if (!limit) return levelSchema;
  return z.union([
    levelSchema,
    z.strictObject({
      severity: levelSchema.optional(),
      limit: z
        .int()
        .min(limit.least)
        .max(1_000_000)
        .optional()
        .describe(`Shown only above so many ${limit.figure}; from ${limit.least}.`),
    }),
  ]);
}

/** The values that the setting of a rule can have, for an error message. */
function describeExpectation(id: string): string {
  const limit = findRule(id)?.limit;
  const levels = levelSchema.options.map((option) => `"${option}"`).join(', ');
  return limit ? `${levels}, or {"severity": …, "limit": a whole number from ${limit.least}}` : levels;
}
