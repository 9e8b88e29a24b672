// doc-comment: the facts about this recipe, as plain data without code.

import type { RecipeFacts } from '../facts.ts';

export const recipe = {
  id: 'doc-comment',
  title: 'Turn a leading comment into a doc comment',
  safety: 'Only comments change; those that tools read stay as they are.',
  cost: 1,
} as const satisfies RecipeFacts;
