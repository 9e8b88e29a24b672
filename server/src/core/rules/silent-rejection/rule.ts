// silent-rejection: finds a `.catch` that drops every error without giving a reason.

import type { RuleFacts } from '../facts.ts';

export const rule = {
  title: 'Silent rejection',
  severity: 'hint',
  worth: 'fault',
  recipe: null,
  description: 'A `.catch` that drops every error without saying why.',
  defaultOn: false,
  inputs: ['hazards'],
} as const satisfies RuleFacts;
