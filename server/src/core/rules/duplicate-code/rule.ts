// duplicate-code: finds 15 or more equal lines in several places.

import type { RuleFacts } from '../facts.ts';

export const rule = {
  title: 'Duplicate code',
  severity: 'hint',
  worth: 'simplification',
  recipe: 'deduplicate',
  description: 'The same 15 lines or more in several places.',
  needs: 'project',
  languages: 'all',
  inputs: ['copied code'],
} as const satisfies RuleFacts;
