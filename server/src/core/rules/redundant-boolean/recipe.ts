// simplify-boolean: replaces a `true` and a `false` that repeat their condition by the condition.

import type { RecipeFacts } from '../facts.ts';

export const recipe = {
  id: 'simplify-boolean',
  title: 'Simplify a condition that is said twice',
  safety: 'If its value is used, the condition is proved to give true or false and nothing else.',
} as const satisfies RecipeFacts;
