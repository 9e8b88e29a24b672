// The approval levels: how often a person is asked.

/**
 * How often a person is asked: `strict` for every change, `moderate` for long changes and those without enough
 * evidence, `minimal` only for those without enough evidence.
 */
export type ApprovalLevel = 'strict' | 'moderate' | 'minimal';

/**
 * An approval level, or `branch`: changes go to a separate branch, which a person reviews later, so the evidence of a
 * change matters more than its author. Only an unattended run has this level; it cannot be set.
 */
export type EffectiveLevel = ApprovalLevel | 'branch';
