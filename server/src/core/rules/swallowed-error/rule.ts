// swallowed-error: what is known of the rule without its code. Plain data.

import type { RuleFacts } from '../facts.ts';

export const rule = {
  title: 'Swallowed error',
  severity: 'information',
  recipe: null,
  description: 'An empty `catch` that does not say why.',
  defaultOn: false,
  inputs: ['hazards'],
} as const satisfies RuleFacts;
