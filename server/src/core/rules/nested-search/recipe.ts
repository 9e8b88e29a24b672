// keyed-lookup: replaces a repeated search in a list by a lookup by key.

import type { RecipeFacts } from '../facts.ts';

export const recipe = {
  id: 'keyed-lookup',
  title: 'Look up by key instead of searching a list',
  safety:
    'The list does not change while the loop runs, and the collection regards the same values as equal as the search does.',
} as const satisfies RecipeFacts;
