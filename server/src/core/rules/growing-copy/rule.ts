// growing-copy: what is known of the rule without its code. Plain data.

import type { RuleFacts } from '../facts.ts';

export const rule = {
  title: 'Copy that grows with every turn',
  severity: 'hint',
  recipe: 'remove-copy',
  description: 'A list or record that a loop copies as a whole each time it adds one thing.',
  defaultOn: false,
  inputs: ['wasted work'],
} as const satisfies RuleFacts;
