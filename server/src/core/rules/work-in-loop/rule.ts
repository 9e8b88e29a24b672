// work-in-loop: finds patterns, JSON and sorted lists that a loop makes in every iteration from unchanged values.

import type { RuleFacts } from '../facts.ts';

export const rule = {
  title: 'Work repeated in a loop',
  severity: 'hint',
  worth: 'simplification',
  recipe: 'hoist-from-loop',
  description:
    'A pattern, JSON or sorted list that a loop makes again on every turn, although nothing that it is made from changes.',
  defaultOn: false,
  inputs: ['wasted work'],
} as const satisfies RuleFacts;
