// use-const: replaces `let` by `const` for variables that are never assigned again.

import type { RecipeFacts } from '../facts.ts';

export const recipe = {
  id: 'use-const',
  title: 'Use const for variables that are never written to',
  safety: 'Nothing in the scope of the names writes to a name of that text.',
} as const satisfies RecipeFacts;
