// exact-types: removes needless assertions, and replaces `any` by the type that the compiler knows.

import type { RecipeFacts } from '../facts.ts';

export const recipe = {
  id: 'exact-types',
  title: 'Use the types that the compiler knows',
  safety:
    'The emitted JavaScript is the same, and so are the messages of the compiler and the types of all other names.',
  cost: 1,
  claims: 'types',
} as const satisfies RecipeFacts;
