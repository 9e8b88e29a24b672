// deduplicate: the facts about this recipe, as plain data without code.

import type { RecipeFacts } from '../facts.ts';

export const recipe = {
  id: 'deduplicate',
  title: 'Share a function that two files have',
  safety:
    'Both functions are the same word for word, every name in them means the same, and it makes no circle of imports.',
} as const satisfies RecipeFacts;
