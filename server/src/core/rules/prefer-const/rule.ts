// prefer-const: finds a `let` whose variables are never assigned again.

import type { RuleFacts } from '../facts.ts';

export const rule = {
  title: 'Let that stays as it is',
  severity: 'hint',
  worth: 'style',
  recipe: 'use-const',
  description: 'A `let` that nothing writes to.',
  defaultOn: false,
  inputs: ['roundabout code'],
} as const satisfies RuleFacts;
