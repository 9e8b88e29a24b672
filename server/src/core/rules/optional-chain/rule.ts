// optional-chain: finds chains of tests that one `?.` can express.

import type { RuleFacts } from '../facts.ts';

export const rule = {
  title: 'Tests one property further',
  severity: 'hint',
  worth: 'style',
  recipe: 'optional-chain',
  description: 'A chain of tests that one `?.` can express.',
  defaultOn: false,
  inputs: ['roundabout code'],
} as const satisfies RuleFacts;
