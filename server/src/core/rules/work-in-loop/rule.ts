// work-in-loop: what is known of the rule without its code. Plain data.

import type { RuleFacts } from '../facts.ts';

export const rule = {
  title: 'Work repeated in a loop',
  severity: 'hint',
  recipe: 'hoist-from-loop',
  description:
    'A pattern, JSON or sorted list that a loop makes again on every turn, although nothing that it is made from changes.',
  inputs: ['wasted work'],
} as const satisfies RuleFacts;
