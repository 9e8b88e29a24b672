// useless-catch: the facts about this rule, as plain data without code.

import type { RuleFacts } from '../facts.ts';

export const rule = {
  title: 'Catch that throws what it caught',
  severity: 'hint',
  recipe: 'remove-catch',
  description: 'A `catch` that only rethrows the error that it caught.',
  defaultOn: false,
} as const satisfies RuleFacts;
