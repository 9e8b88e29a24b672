// The facts of the recipe `remove-copy`, which removes needless copies of lists and records.

import type { RecipeFacts } from '../../rules/facts.ts';

export const recipe = {
  id: 'remove-copy',
  title: 'Remove a needless copy',
  safety: 'The types show that the copied value is a list which no other code uses or which never changes.',
} as const satisfies RecipeFacts;
