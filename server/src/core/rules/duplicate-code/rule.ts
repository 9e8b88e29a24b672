// duplicate-code: what is known of the rule without its code. Plain data.

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
