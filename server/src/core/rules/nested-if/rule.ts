// nested-if: finds functions and loops that end in an `if` that an early exit could replace.

import type { RuleFacts } from '../facts.ts';

export const rule = {
  title: 'Body wrapped in an if',
  severity: 'hint',
  worth: 'simplification',
  recipe: 'guard-clauses',
  description: 'A function or loop that ends in an `if` around its work, where an early exit would save a level.',
  inputs: ['cognitive complexity', 'nesting'],
} as const satisfies RuleFacts;
