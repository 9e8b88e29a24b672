// unused-parameter: what is known of the rule without its code. Plain data.

import type { RuleFacts } from '../facts.ts';

export const rule = {
  title: 'Unused parameter',
  severity: 'hint',
  recipe: 'remove-parameter',
  description: 'The last parameter of a function that only its file uses, never read.',
  defaultOn: false,
  inputs: ['roundabout code'],
} as const satisfies RuleFacts;
