// duplicate-code: the facts about this rule, as plain data without code.

import type { RuleFacts } from '../facts.ts';

export const rule = {
  title: 'Duplicate code',
  severity: 'hint',
  recipe: 'deduplicate',
  description: 'The same 15 lines or more in several places.',
  needs: 'project',
  languages: 'all',
  inputs: ['copied code'],
} as const satisfies RuleFacts;
