// remove-catch: removes a `catch` that only rethrows its error.

import type { RecipeFacts } from '../facts.ts';

export const recipe = {
  id: 'remove-catch',
  title: 'Remove a catch that only rethrows',
  safety: 'The same error is thrown, and no name changes its scope unnoticed.',
  claims: 'findings',
} as const satisfies RecipeFacts;
