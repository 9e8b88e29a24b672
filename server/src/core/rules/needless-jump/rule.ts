// needless-jump: finds a `return` or `continue` to the place where control continues anyway.

import type { RuleFacts } from '../facts.ts';

export const rule = {
  title: 'Needless return or continue',
  severity: 'hint',
  worth: 'style',
  recipe: 'remove-jump',
  description: 'A `return` or `continue` that leads where control goes anyway.',
  defaultOn: false,
} as const satisfies RuleFacts;
