// remove-parameter: removes parameters that no code reads, and their arguments.

import type { RecipeFacts } from '../facts.ts';

export const recipe = {
  id: 'remove-parameter',
  title: 'Remove parameters that nothing reads',
  safety: 'Every use of the function is a call in its file, and what the callers give has no effects.',
} as const satisfies RecipeFacts;
