// doc-comment: turns the comment above an export into a doc comment.

import type { RecipeFacts } from '../facts.ts';

export const recipe = {
  id: 'doc-comment',
  title: 'Turn a leading comment into a doc comment',
  safety: 'Only comments change; those that tools read stay as they are.',
  cost: 1,
} as const satisfies RecipeFacts;
