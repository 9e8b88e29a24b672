// The kinds of tasks that the bench of answers counts.

/** The four kinds of tasks, and what is neither. */
export const KINDS = ['tests', 'refused by a recipe', 'fix', 'type hole', 'other place'] as const;
export type Kind = (typeof KINDS)[number];
