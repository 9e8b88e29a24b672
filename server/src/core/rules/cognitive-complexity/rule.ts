// cognitive-complexity: finds functions whose cognitive complexity is above 15.

import type { RuleFacts } from '../facts.ts';

export const rule = {
  title: 'Hard to follow',
  severity: 'hint',
  worth: 'simplification',
  recipe: 'extract-function',
  description: 'A function whose cognitive complexity is above 15.',
  needs: 'walk',
  languages: 'all',
  defaultOn: false,
  inputs: ['over-complex functions', 'cognitive complexity', 'nesting'],
  limit: { evidence: 'cognitive', figure: 'cognitive complexity', least: 15 },
} as const satisfies RuleFacts;
