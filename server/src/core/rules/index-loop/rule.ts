// index-loop: finds loops whose index only reads a list element by element.

import type { RuleFacts } from '../facts.ts';

export const rule = {
  title: 'Loop that counts through a list',
  severity: 'hint',
  worth: 'style',
  recipe: 'for-of',
  description: 'A loop whose index only reads a list element by element.',
  defaultOn: false,
  inputs: ['roundabout code'],
} as const satisfies RuleFacts;
