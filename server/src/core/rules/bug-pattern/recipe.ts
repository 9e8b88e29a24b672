// mend-pattern: fixes a bug pattern whose intended code is certain.

import type { RecipeFacts } from '../facts.ts';

export const recipe = {
  id: 'mend-pattern',
  title: 'Mend a bug pattern',
  safety:
    'Only patterns that have one meaning are mended. The behaviour changes as the author meant it, ' +
    'except for a property that is written twice with the same value.',
  cost: 1,
  claims: 'findings',
  changesBehavior: true,
} as const satisfies RecipeFacts;
