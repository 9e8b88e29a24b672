// redundant-boolean: finds a `true` and a `false` that only repeat their condition.

import type { RuleFacts } from '../facts.ts';

export const rule = {
  title: 'Condition said twice',
  severity: 'hint',
  worth: 'style',
  recipe: 'simplify-boolean',
  description: 'A `true` and a `false` that only repeat what their condition says.',
  defaultOn: false,
  inputs: ['roundabout code'],
} as const satisfies RuleFacts;
