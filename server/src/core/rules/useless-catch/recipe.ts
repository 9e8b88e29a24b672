// remove-catch: the facts about this recipe, as plain data without code.

import type { RecipeFacts } from '../facts.ts';

export const recipe = {
  id: 'remove-catch',
  title: 'Remove a catch that throws what it caught',
  safety: 'The same error is thrown, and no name changes its scope unnoticed.',
} as const satisfies RecipeFacts;
