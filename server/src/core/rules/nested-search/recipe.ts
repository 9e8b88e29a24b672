// keyed-lookup: what is known of the recipe without its code. Plain data.

import type { RecipeFacts } from '../facts.ts';

export const recipe = {
  id: 'keyed-lookup',
  title: 'Look up by key instead of searching a list',
  safety: 'The list stays as it is while the loop runs, and what is equal for the search is equal for the collection.',
} as const satisfies RecipeFacts;
