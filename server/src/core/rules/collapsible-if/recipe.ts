// merge-if: what is known of the recipe without its code. Plain data.

import type { RecipeFacts } from '../facts.ts';

export const recipe = {
  id: 'merge-if',
  title: 'Merge nested ifs',
  safety: 'Neither if has an else, and nothing stands between them.',
} as const satisfies RecipeFacts;
