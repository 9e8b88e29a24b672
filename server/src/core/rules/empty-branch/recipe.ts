// remove-branch: removes the empty branch of an `if`.

import type { RecipeFacts } from '../facts.ts';

export const recipe = {
  id: 'remove-branch',
  title: 'Remove the empty side of an if',
  safety: 'The branch does nothing, and the condition is evaluated once, as before.',
} as const satisfies RecipeFacts;
