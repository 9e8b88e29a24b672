// needless-await: finds an `await` of something that is not a promise, and promises that are made only to be unwrapped.

import type { RuleFacts } from '../facts.ts';

export const rule = {
  title: 'Needless await',
  severity: 'hint',
  worth: 'style',
  recipe: 'remove-await',
  description: 'An `await` of something that is not a promise, or a promise that is made only to be unwrapped.',
  defaultOn: false,
  inputs: ['wasted work'],
} as const satisfies RuleFacts;
