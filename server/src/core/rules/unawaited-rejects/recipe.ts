// await-assertion: adds `await` to an assertion on a promise.

import type { RecipeFacts } from '../facts.ts';

export const recipe = {
  id: 'await-assertion',
  title: 'Wait for an assertion about a promise',
  safety: 'The same assertion is made; the test now ends after it, and fails with it.',
  cost: 1,
  changesBehavior: true,
} as const satisfies RecipeFacts;
