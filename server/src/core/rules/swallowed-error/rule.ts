// swallowed-error: the facts about this rule, as plain data without code.

import type { RuleFacts } from '../facts.ts';

export const rule = {
  title: 'Swallowed error',
  severity: 'information',
  recipe: null,
  description: 'An empty `catch` that does not say why.',
  defaultOn: false,
  inputs: ['hazards'],
} as const satisfies RuleFacts;
