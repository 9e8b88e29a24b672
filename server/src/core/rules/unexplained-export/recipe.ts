// document-from-evidence: the facts about this recipe, as plain data without code.

import type { RecipeFacts } from '../facts.ts';

export const recipe = {
  id: 'document-from-evidence',
  title: 'Document an export from evidence',
  safety: 'Only comments change, and they say what tests assert and what the code says.',
} as const satisfies RecipeFacts;
