// Kinds of deliberate mistakes in a change. Selfware makes such mistakes to find out whether the gates notice them.

/** The names of the kinds, as events and messages contain them. */
export const CHEAT_KINDS = [
  'weakened assertion',
  'edge case dropped',
  'error swallowed',
  'off by one',
  'hard-coded answer',
] as const;
/** The name of a kind of deliberate mistake. */
export type CheatKind = (typeof CHEAT_KINDS)[number];

/**
 * The outcomes of judging a variant, which is the change with one mistake. `caught`: a gate failed. `escaped`: all
 * gates passed. `unknown`: it could not be judged.
 */
const VARIANT_OUTCOMES = ['caught', 'escaped', 'unknown'] as const;
/** The outcome of judging a variant. */
export type VariantOutcome = (typeof VARIANT_OUTCOMES)[number];
