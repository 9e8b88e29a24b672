// deduplicate: lets one of two files import a function that both contain.

import type { RecipeFacts } from '../facts.ts';

export const recipe = {
  id: 'deduplicate',
  title: 'Share a function that two files have',
  safety:
    'Both functions are the same word for word, every name in them means the same, and it makes no circle of imports.',
  tried: true,
} as const satisfies RecipeFacts;
