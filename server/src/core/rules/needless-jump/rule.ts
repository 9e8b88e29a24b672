// needless-jump: what is known of the rule without its code. Plain data.

import type { RuleFacts } from '../facts.ts';

export const rule = {
  title: 'Needless return or continue',
  severity: 'hint',
  recipe: 'remove-jump',
  description: 'A `return` or `continue` that leads where control goes anyway.',
  defaultOn: false,
} as const satisfies RuleFacts;
