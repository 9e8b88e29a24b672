// remove-copy: what is known of the recipe without its code. Plain data.

import type { RecipeFacts } from '../../rules/facts.ts';

export const recipe = {
  id: 'remove-copy',
  title: 'Remove a needless copy',
  safety: 'The compiler knows what is copied to be a list that nobody else holds or that stays as it is.',
} as const satisfies RecipeFacts;
