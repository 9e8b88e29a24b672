// for-of: rewrites a loop that counts through an array as `for … of`.

import type { RecipeFacts } from '../facts.ts';

export const recipe = {
  id: 'for-of',
  title: 'Go through a list by for … of',
  safety:
    'The list is an array, its index is used for nothing else, and nothing that acts runs before an element is read.',
} as const satisfies RecipeFacts;
