// unused-parameter: finds a last parameter that is never read, in functions that only their own file uses.

import type { RuleFacts } from '../facts.ts';

export const rule = {
  title: 'Unused parameter',
  severity: 'hint',
  worth: 'removal',
  recipe: 'remove-parameter',
  description: 'A last parameter that is never read, in a function that only its own file uses.',
  defaultOn: false,
  inputs: ['roundabout code'],
} as const satisfies RuleFacts;
