// nested-search: finds lists that a loop over something else searches from the start in every iteration.

import type { RuleFacts } from '../facts.ts';

export const rule = {
  title: 'Nested search',
  severity: 'hint',
  worth: 'simplification',
  recipe: 'keyed-lookup',
  description: 'A list that is searched from its start on every turn of a loop over something else.',
  defaultOn: false,
  inputs: ['wasted work'],
} as const satisfies RuleFacts;
