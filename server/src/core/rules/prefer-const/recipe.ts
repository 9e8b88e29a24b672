// use-const: the facts about this recipe, as plain data without code.

import type { RecipeFacts } from '../facts.ts';

export const recipe = {
  id: 'use-const',
  title: 'Use const for variables that are never written to',
  safety: 'Nothing in the scope of the names writes to a name of that text.',
} as const satisfies RecipeFacts;
