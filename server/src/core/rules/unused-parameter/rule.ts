// unused-parameter: the facts about this rule, as plain data without code.

import type { RuleFacts } from '../facts.ts';

export const rule = {
  title: 'Unused parameter',
  severity: 'hint',
  recipe: 'remove-parameter',
  description: 'A last parameter that is never read, in a function that only its own file uses.',
  defaultOn: false,
  inputs: ['roundabout code'],
} as const satisfies RuleFacts;
