// hoist-from-loop: what is known of the recipe without its code. Plain data.

import type { RecipeFacts } from '../facts.ts';

export const recipe = {
  id: 'hoist-from-loop',
  title: 'Take repeated work out of a loop',
  safety: 'What it is made of stays the same while the loop runs, and what is made is only looked at.',
} as const satisfies RecipeFacts;
