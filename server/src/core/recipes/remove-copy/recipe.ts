// remove-copy: what is known of the recipe without its code. Plain data.

import type { RecipeFacts } from '../../rules/facts.ts';

export const recipe = {
  id: 'remove-copy',
  title: 'Remove a needless copy',
  safety: 'The compiler knows that what is copied is a list that nobody else holds or that does not change.',
} as const satisfies RecipeFacts;
