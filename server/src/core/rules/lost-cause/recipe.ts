// add-cause: passes the caught error on as the `cause` of the new one.

import type { RecipeFacts } from '../facts.ts';

export const recipe = {
  id: 'add-cause',
  title: 'Hand the caught error on as the cause',
  safety: 'The same kind of error is thrown with the same message; it has one more property, `cause`.',
  cost: 1,
  claims: 'findings',
  changesBehavior: true,
} as const satisfies RecipeFacts;
