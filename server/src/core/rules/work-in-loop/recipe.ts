// hoist-from-loop: moves work that every iteration of a loop repeats in front of the loop.

import type { RecipeFacts } from '../facts.ts';

export const recipe = {
  id: 'hoist-from-loop',
  title: 'Hoist repeated work out of the loop',
  safety: 'The operands of the value do not change while the loop runs, and the value is only read.',
} as const satisfies RecipeFacts;
