// The facts of the recipe `remove-unused`, which removes imports and locals that no code reads.

import type { RecipeFacts } from '../../rules/facts.ts';

export const recipe = {
  id: 'remove-unused',
  title: 'Remove unused imports and locals',
  safety: 'What has effects when it is evaluated stays as a statement, and a file stays a module.',
  cost: 1,
} as const satisfies RecipeFacts;
