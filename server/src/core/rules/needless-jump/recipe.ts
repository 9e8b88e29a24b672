// remove-jump: what is known of the recipe without its code. Plain data.

import type { RecipeFacts } from '../facts.ts';

export const recipe = {
  id: 'remove-jump',
  title: 'Remove a needless return or continue',
  safety: 'Control goes to the same place without it.',
} as const satisfies RecipeFacts;
