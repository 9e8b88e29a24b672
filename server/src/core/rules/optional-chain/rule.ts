// optional-chain: what is known of the rule without its code. Plain data.

import type { RuleFacts } from '../facts.ts';

export const rule = {
  title: 'Tests one property further',
  severity: 'hint',
  recipe: 'optional-chain',
  description: 'A row of tests that `?.` says in one.',
  defaultOn: false,
  inputs: ['roundabout code'],
} as const satisfies RuleFacts;
