// else-after-return: what is known of the rule without its code. Plain data.

import type { RuleFacts } from '../facts.ts';

export const rule = {
  title: 'Else after return',
  severity: 'hint',
  recipe: 'remove-else',
  description: 'An `else` whose other branch has already left.',
  defaultOn: false,
  inputs: ['cognitive complexity', 'nesting'],
} as const satisfies RuleFacts;
