// hoist-from-loop: the facts about this recipe, as plain data without code.

import type { RecipeFacts } from '../facts.ts';

export const recipe = {
  id: 'hoist-from-loop',
  title: 'Take repeated work out of a loop',
  safety: 'What the value is made of stays the same while the loop runs, and the value is only read.',
} as const satisfies RecipeFacts;
