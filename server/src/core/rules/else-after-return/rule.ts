// else-after-return: the facts about this rule, as plain data without code.

import type { RuleFacts } from '../facts.ts';

export const rule = {
  title: 'Else after return',
  severity: 'hint',
  recipe: 'remove-else',
  description: 'An `else` whose other branch has already left.',
  defaultOn: false,
  inputs: ['cognitive complexity', 'nesting'],
} as const satisfies RuleFacts;
