// needless-copy: finds copies of values that no other code uses.

import type { RuleFacts } from '../facts.ts';

export const rule = {
  title: 'Needless copy',
  severity: 'hint',
  worth: 'style',
  recipe: 'remove-copy',
  description: 'A copy of a value that nobody else holds.',
  inputs: ['wasted work'],
} as const satisfies RuleFacts;
