// The approval levels: how often a person wants to be asked.

export type ApprovalLevel = 'strict' | 'moderate' | 'minimal';
