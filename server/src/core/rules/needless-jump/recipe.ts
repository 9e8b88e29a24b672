// remove-jump: removes a `return` or `continue` without effect.

import type { RecipeFacts } from '../facts.ts';

export const recipe = {
  id: 'remove-jump',
  title: 'Remove a needless return or continue',
  safety: 'Control goes to the same place without it.',
  claims: 'findings',
} as const satisfies RecipeFacts;
