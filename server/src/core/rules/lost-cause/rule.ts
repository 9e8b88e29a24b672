// lost-cause: finds a `catch` that throws a new error without the caught one.

import type { RuleFacts } from '../facts.ts';

export const rule = {
  title: 'Error without its cause',
  severity: 'hint',
  worth: 'fault',
  recipe: 'add-cause',
  description: 'A `catch` that throws a new error without the error that it has caught.',
} as const satisfies RuleFacts;
