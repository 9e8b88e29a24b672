// Rules that measure something, and the least limit that a team may set: the analysis reports from there on. Plain
// data.

import type { RuleId } from './rules.ts';

export interface RuleLimit {
  /** Name of the figure in the evidence of an opportunity. */
  readonly evidence: string;
  /** What is measured, in words. */
  readonly figure: string;
  /** Above this the analysis reports. */
  readonly least: number;
}

/** Each agrees with the rule's own threshold (test/unit/settings/ruleSettings.test.ts). */
export const RULE_LIMITS: Readonly<Partial<Record<RuleId, RuleLimit>>> = {
  'cognitive-complexity': { evidence: 'cognitive', figure: 'cognitive complexity', least: 15 },
  'deep-nesting': { evidence: 'nesting', figure: 'levels of nesting', least: 4 },
  // Long by its lines alone, a function is still told by its statements: lines say little of what there is to read.
  'long-function': { evidence: 'statements', figure: 'statements', least: 80 },
  'many-parameters': { evidence: 'parameters', figure: 'parameters', least: 6 },
  'large-file': { evidence: 'lines', figure: 'lines of code', least: 1_000 },
  'complex-condition': { evidence: 'operators', figure: 'operators in a condition', least: 5 },
};
