// Kinds of deliberate mistakes in a change, which show whether the gates notice them.

export const CHEAT_KINDS = [
  'weakened assertion',
  'edge case dropped',
  'error swallowed',
  'off by one',
  'hard-coded answer',
] as const;
export type CheatKind = (typeof CHEAT_KINDS)[number];

/** The outcome of one variant. `unknown`: it could not be judged. */
export const VARIANT_OUTCOMES = ['caught', 'escaped', 'unknown'] as const;
export type VariantOutcome = (typeof VARIANT_OUTCOMES)[number];
