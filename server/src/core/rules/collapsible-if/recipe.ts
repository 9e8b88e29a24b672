// merge-if: merges an `if` with the only `if` inside it.

import type { RecipeFacts } from '../facts.ts';

export const recipe = {
  id: 'merge-if',
  title: 'Merge nested ifs',
  safety: 'Neither if has an else, and nothing stands between them.',
} as const satisfies RecipeFacts;
