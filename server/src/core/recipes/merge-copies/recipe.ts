// The facts of the recipe `merge-copies`, which merges two copies of the same statements in a file into a shared
// function.

import type { RecipeFacts } from '../../rules/facts.ts';

export const recipe = {
  id: 'merge-copies',
  title: 'Merge two copies in a file',
  safety:
    'Both places do the same, except for values that become parameters, and the compiler accepts the shared function.',
  tried: true,
} as const satisfies RecipeFacts;
