// hoist-from-loop: moves work that every iteration of a loop repeats in front of the loop.

import type { RecipeFacts } from '../facts.ts';

export const recipe = {
  id: 'hoist-from-loop',
  title: 'Take repeated work out of a loop',
  safety: 'What the value is made of stays the same while the loop runs, and the value is only read.',
} as const satisfies RecipeFacts;
