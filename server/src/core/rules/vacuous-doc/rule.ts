// vacuous-doc: what is known of the rule without its code. Plain data.

import type { RuleFacts } from '../facts.ts';

export const rule = {
  title: 'Comment that repeats the name',
  severity: 'hint',
  recipe: null,
  description: 'A doc comment that says no more than the name below it.',
  defaultOn: false,
  inputs: ['documented API'],
} as const satisfies RuleFacts;
