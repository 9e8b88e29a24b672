// modern-call: replaces calls of deprecated functions of Node or JavaScript.

import type { RecipeFacts } from '../facts.ts';

export const recipe = {
  id: 'modern-call',
  title: 'Replace a deprecated call',
  safety:
    'By their specification, both calls give the same for every value that the types allow. ' +
    'Where they say nothing of the value of `substr`, it has to be a string.',
  cost: 1,
  claims: 'findings',
} as const satisfies RecipeFacts;
