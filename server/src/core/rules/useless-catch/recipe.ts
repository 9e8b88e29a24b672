// remove-catch: what is known of the recipe without its code. Plain data.

import type { RecipeFacts } from '../facts.ts';

export const recipe = {
  id: 'remove-catch',
  title: 'Remove a catch that throws what it caught',
  safety: 'What is thrown goes on as it is, and no name changes its scope unseen.',
} as const satisfies RecipeFacts;
