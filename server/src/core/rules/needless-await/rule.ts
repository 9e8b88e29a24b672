// needless-await: what is known of the rule without its code. Plain data.

import type { RuleFacts } from '../facts.ts';

export const rule = {
  title: 'Needless await',
  severity: 'hint',
  recipe: 'remove-await',
  description: 'An `await` of something that is not a promise, or a promise that is made only to be unwrapped.',
  defaultOn: false,
  inputs: ['wasted work'],
} as const satisfies RuleFacts;
