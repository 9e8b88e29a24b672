// The kinds of tasks that the bench of answers counts.

/** Four kinds of tasks, and `other place` for all others. */
export const KINDS = ['tests', 'refused by a recipe', 'fix', 'type hole', 'other place'] as const;
/** A kind of task. */
export type Kind = (typeof KINDS)[number];
