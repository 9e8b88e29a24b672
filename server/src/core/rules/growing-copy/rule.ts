// growing-copy: finds loops that copy a list or record as a whole to add one element.

import type { RuleFacts } from '../facts.ts';

export const rule = {
  title: 'Copy that grows with every turn',
  severity: 'hint',
  worth: 'simplification',
  recipe: 'remove-copy',
  description: 'A list or record that a loop copies as a whole each time it adds one thing.',
  defaultOn: false,
  inputs: ['wasted work'],
} as const satisfies RuleFacts;
