// extract-function: moves statements of a complex function into a new one.

import type { RecipeFacts } from '../facts.ts';

export const recipe = {
  id: 'extract-function',
  title: 'Extract a function from an over-complex one',
  safety: 'Statements move unchanged; what they read comes in as parameters, and at most one value goes out.',
  cost: 2.5,
  needsPerson: true,
} as const satisfies RecipeFacts;
