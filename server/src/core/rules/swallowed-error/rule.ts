// swallowed-error: finds an empty `catch` without a comment that gives the reason.

import type { RuleFacts } from '../facts.ts';

export const rule = {
  title: 'Swallowed error',
  severity: 'information',
  worth: 'fault',
  recipe: null,
  description: 'An empty `catch` that does not say why.',
  defaultOn: false,
  inputs: ['hazards'],
} as const satisfies RuleFacts;
