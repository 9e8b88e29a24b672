// document-from-evidence: writes doc comments from the assertions of tests and from the code.

import type { RecipeFacts } from '../facts.ts';

export const recipe = {
  id: 'document-from-evidence',
  title: 'Document an export from evidence',
  safety: 'Only comments change, and they say what tests assert and what the code says.',
} as const satisfies RecipeFacts;
