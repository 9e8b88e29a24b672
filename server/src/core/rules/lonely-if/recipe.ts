// else-if: rewrites `else { if (…) … }` as `else if (…) …`.

import type { RecipeFacts } from '../facts.ts';

export const recipe = {
  id: 'else-if',
  title: 'Make an if alone in an else an else if',
  safety: 'The else holds nothing but the if, and no else behind it changes its owner.',
} as const satisfies RecipeFacts;
