// nullish-coalescing: what is known of the recipe without its code. Plain data.

import type { RecipeFacts } from '../facts.ts';

export const recipe = {
  id: 'nullish-coalescing',
  title: 'Use ?? for a replacement',
  safety: 'The test tells both null and undefined from the rest, or the types rule out the other one.',
} as const satisfies RecipeFacts;
