// The approval levels: how often a person is asked.

/** How often a person is asked: `strict` for every change, `moderate` less often, `minimal` least often. */
export type ApprovalLevel = 'strict' | 'moderate' | 'minimal';

/**
 * An approval level, or `branch`: changes go to a separate branch that a person reviews as a whole, so the evidence
 * decides, and not the author. Only an unattended run has this level; it cannot be set.
 */
export type EffectiveLevel = ApprovalLevel | 'branch';
