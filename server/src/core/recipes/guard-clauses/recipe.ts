// The facts of the recipe `guard-clauses`, which replaces an `if` around the last statements of a function or loop by
// an early exit.

import type { RecipeFacts } from '../../rules/facts.ts';

export const recipe = {
  id: 'guard-clauses',
  title: 'Flatten a nested if by guard clauses',
  safety: 'Only the last statement of a function or loop is turned around, and no name changes its scope unnoticed.',
  cost: 1.5,
} as const satisfies RecipeFacts;
