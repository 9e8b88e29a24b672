// lost-cause: the facts about this rule, as plain data without code.

import type { RuleFacts } from '../facts.ts';

export const rule = {
  title: 'Error without its cause',
  severity: 'hint',
  recipe: 'add-cause',
  description: 'A `catch` that throws a new error without the error that it has caught.',
} as const satisfies RuleFacts;
