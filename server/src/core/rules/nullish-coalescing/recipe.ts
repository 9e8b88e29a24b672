// nullish-coalescing: writes `??` for a choice between a value and its fallback.

import type { RecipeFacts } from '../facts.ts';

export const recipe = {
  id: 'nullish-coalescing',
  title: 'Use ?? for a replacement',
  safety:
    'The test distinguishes both null and undefined from other values, or the types rule out the one that it does not test.',
} as const satisfies RecipeFacts;
