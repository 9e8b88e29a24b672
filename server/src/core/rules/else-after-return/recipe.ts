// remove-else: removes an `else` after branches that always exit.

import type { RecipeFacts } from '../facts.ts';

export const recipe = {
  id: 'remove-else',
  title: 'Remove else after a branch that leaves',
  safety: 'Every branch before the else leaves, and no name changes its scope unnoticed.',
  cost: 1,
} as const satisfies RecipeFacts;
