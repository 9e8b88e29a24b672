// deep-nesting: finds functions with control structures more than 4 levels deep.

import type { RuleFacts } from '../facts.ts';

export const rule = {
  title: 'Deep nesting',
  severity: 'hint',
  worth: 'simplification',
  recipe: 'guard-clauses',
  description: 'A function with control structures more than 4 levels deep.',
  languages: 'all',
  defaultOn: false,
  inputs: ['nesting'],
  limit: { evidence: 'nesting', figure: 'levels of nesting', least: 4 },
} as const satisfies RuleFacts;
