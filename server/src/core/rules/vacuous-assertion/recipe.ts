// complete-assertion: adds what is missing in an assertion that cannot fail.

import type { RecipeFacts } from '../facts.ts';

export const recipe = {
  id: 'complete-assertion',
  title: 'Complete an assertion that cannot fail',
  safety: 'Only the assertion changes: it now fails if the value is not the one that it names.',
  cost: 1,
  changesBehavior: true,
} as const satisfies RecipeFacts;
