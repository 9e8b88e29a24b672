// optional-chain: replaces tests of a value before its properties by `?.`.

import type { RecipeFacts } from '../facts.ts';

export const recipe = {
  id: 'optional-chain',
  title: 'Use ?. for tests of a value before its properties',
  safety: 'By its types, a tested value is falsy only if it is null or undefined, and no getter is read.',
} as const satisfies RecipeFacts;
