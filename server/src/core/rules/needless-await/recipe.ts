// remove-await: removes promises and awaits that have no use.

import type { RecipeFacts } from '../facts.ts';

export const recipe = {
  id: 'remove-await',
  title: 'Remove needless promises and awaits',
  safety:
    'Nothing that other code could notice runs sooner than before, except that the function settles a step or two sooner.',
} as const satisfies RecipeFacts;
