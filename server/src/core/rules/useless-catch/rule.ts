// useless-catch: finds a `catch` that only rethrows its error.

import type { RuleFacts } from '../facts.ts';

export const rule = {
  title: 'Catch that only rethrows',
  severity: 'hint',
  worth: 'removal',
  recipe: 'remove-catch',
  description: 'A `catch` that only rethrows the error that it caught.',
  defaultOn: false,
} as const satisfies RuleFacts;
