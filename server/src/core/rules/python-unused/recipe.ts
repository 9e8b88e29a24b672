// remove-python-import: removes an import of Python's standard library that nothing uses.

import type { RecipeFacts } from '../facts.ts';

export const recipe = {
  id: 'remove-python-import',
  title: 'Remove an unused Python import',
  safety:
    'Only modules of the standard library count, whose import changes nothing that other code sees, and nothing in the ' +
    'file uses the name.',
  cost: 1,
  claims: 'findings',
  editsPython: true,
} as const satisfies RecipeFacts;
