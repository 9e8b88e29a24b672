// many-parameters: finds functions with more than 6 parameters.

import type { RuleFacts } from '../facts.ts';

export const rule = {
  title: 'Many parameters',
  severity: 'hint',
  worth: 'simplification',
  recipe: null,
  description: 'A function with more than 6 parameters.',
  needs: 'walk',
  languages: 'all',
  defaultOn: false,
  limit: { evidence: 'parameters', figure: 'parameters', least: 6 },
} as const satisfies RuleFacts;
