// needless-await: the facts about this rule, as plain data without code.

import type { RuleFacts } from '../facts.ts';

export const rule = {
  title: 'Needless await',
  severity: 'hint',
  recipe: 'remove-await',
  description: 'An `await` of something that is not a promise, or a promise that is made only to be unwrapped.',
  defaultOn: false,
  inputs: ['wasted work'],
} as const satisfies RuleFacts;
