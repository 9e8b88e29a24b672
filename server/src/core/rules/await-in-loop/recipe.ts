// parallel-awaits: awaits independent results in parallel instead of one after the other.

import type { RecipeFacts } from '../facts.ts';

export const recipe = {
  id: 'parallel-awaits',
  title: 'Wait for independent results at once',
  safety:
    'What is waited for only reads, no turn writes to anything or looks at the results of another, and the results keep their order.',
  changesBehavior: true,
} as const satisfies RecipeFacts;
