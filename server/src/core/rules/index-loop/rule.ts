// index-loop: the facts about this rule, as plain data without code.

import type { RuleFacts } from '../facts.ts';

export const rule = {
  title: 'Loop that counts through a list',
  severity: 'hint',
  recipe: 'for-of',
  description: 'A loop whose index only reads a list element by element.',
  defaultOn: false,
  inputs: ['roundabout code'],
} as const satisfies RuleFacts;
