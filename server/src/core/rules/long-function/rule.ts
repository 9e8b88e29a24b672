// long-function: finds functions of more than 80 statements or 300 lines.

import type { RuleFacts } from '../facts.ts';

export const rule = {
  title: 'Long function',
  severity: 'hint',
  worth: 'simplification',
  recipe: null,
  description: 'A function of more than 80 statements or 300 lines.',
  needs: 'walk',
  languages: 'all',
  defaultOn: false,
  limit: { evidence: 'statements', figure: 'statements', least: 80 },
} as const satisfies RuleFacts;
