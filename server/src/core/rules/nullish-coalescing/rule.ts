// nullish-coalescing: finds choices between a value and a fallback that `??` can express.

import type { RuleFacts } from '../facts.ts';

export const rule = {
  title: 'Choice between a value and its fallback',
  severity: 'hint',
  worth: 'style',
  recipe: 'nullish-coalescing',
  description: 'A choice between a value and a fallback that `??` expresses without repeating the value.',
  defaultOn: false,
  inputs: ['roundabout code'],
} as const satisfies RuleFacts;
