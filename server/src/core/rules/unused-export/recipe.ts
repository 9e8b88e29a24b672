// unexport: removes the export of a name that no other file imports.

import type { RecipeFacts } from '../facts.ts';

export const recipe = {
  id: 'unexport',
  title: 'Remove an unused export',
  safety: 'No file of the repository takes the name, and what has effects when it is evaluated stays.',
  checksImporters: true,
} as const satisfies RecipeFacts;
