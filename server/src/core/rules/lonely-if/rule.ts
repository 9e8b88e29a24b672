// lonely-if: finds an `else` that contains only an `if`.

import type { RuleFacts } from '../facts.ts';

export const rule = {
  title: 'If alone in an else',
  severity: 'hint',
  worth: 'style',
  recipe: 'else-if',
  description: 'An `else` that holds nothing but an `if`.',
  defaultOn: false,
  inputs: ['cognitive complexity', 'nesting'],
} as const satisfies RuleFacts;
