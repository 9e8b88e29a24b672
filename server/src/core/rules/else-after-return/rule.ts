// else-after-return: finds an `else` after a branch that always exits.

import type { RuleFacts } from '../facts.ts';

export const rule = {
  title: 'Else after return',
  severity: 'hint',
  worth: 'style',
  recipe: 'remove-else',
  description: 'An `else` after a branch that always leaves.',
  defaultOn: false,
  inputs: ['cognitive complexity', 'nesting'],
} as const satisfies RuleFacts;
