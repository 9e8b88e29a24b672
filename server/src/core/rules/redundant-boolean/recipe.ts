// simplify-boolean: the facts about this recipe, as plain data without code.

import type { RecipeFacts } from '../facts.ts';

export const recipe = {
  id: 'simplify-boolean',
  title: 'Simplify a condition that is said twice',
  safety: 'If its value is used, the condition is proved to give true or false and nothing else.',
} as const satisfies RecipeFacts;
