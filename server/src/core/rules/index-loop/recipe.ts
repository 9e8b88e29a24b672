// for-of: the facts about this recipe, as plain data without code.

import type { RecipeFacts } from '../facts.ts';

export const recipe = {
  id: 'for-of',
  title: 'Go through a list by for … of',
  safety:
    'The list is an array, its index is used for nothing else, and nothing that acts runs before an element is read.',
} as const satisfies RecipeFacts;
