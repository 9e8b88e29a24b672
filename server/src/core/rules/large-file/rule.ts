// large-file: finds files of more than 1,000 lines of code.

import type { RuleFacts } from '../facts.ts';

export const rule = {
  title: 'Large file',
  severity: 'hint',
  worth: 'simplification',
  recipe: null,
  description: 'A file of more than 1,000 lines of code.',
  needs: 'walk',
  languages: 'all',
  defaultOn: false,
  limit: { evidence: 'lines', figure: 'lines of code', least: 1000 },
} as const satisfies RuleFacts;
