// modern-call: replaces calls of deprecated functions of Node or JavaScript. Facts only, no code.

import type { RecipeFacts } from '../facts.ts';

export const recipe = {
  id: 'modern-call',
  title: 'Replace a deprecated call',
  safety: 'Both calls give the same for every value that can arrive, by their specification and by the types.',
  cost: 1,
  claims: 'findings',
} as const satisfies RecipeFacts;
