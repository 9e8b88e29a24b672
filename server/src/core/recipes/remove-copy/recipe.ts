// remove-copy: removes copies of lists and records that have no use.

import type { RecipeFacts } from '../../rules/facts.ts';

export const recipe = {
  id: 'remove-copy',
  title: 'Remove a needless copy',
  safety: 'The compiler knows that what is copied is a list that nobody else holds or that does not change.',
} as const satisfies RecipeFacts;
