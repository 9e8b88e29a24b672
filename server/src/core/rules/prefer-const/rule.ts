// prefer-const: what is known of the rule without its code. Plain data.

import type { RuleFacts } from '../facts.ts';

export const rule = {
  title: 'Let that stays as it is',
  severity: 'hint',
  recipe: 'use-const',
  description: 'A `let` that nothing writes to.',
  defaultOn: false,
  inputs: ['roundabout code'],
} as const satisfies RuleFacts;
