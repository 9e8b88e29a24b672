// add-cause: the facts about this recipe, as plain data without code.

import type { RecipeFacts } from '../facts.ts';

export const recipe = {
  id: 'add-cause',
  title: 'Hand the caught error on as the cause',
  safety: 'The same kind of error is thrown with the same message; it has one more property, `cause`.',
  cost: 1,
  claims: 'findings',
  changesBehavior: true,
} as const satisfies RecipeFacts;
