// await-in-loop: what is known of the rule without its code. Plain data.

import type { RuleFacts } from '../facts.ts';

export const rule = {
  title: 'Awaits one by one',
  severity: 'hint',
  recipe: 'parallel-awaits',
  description: 'A loop that waits for independent results one after the other.',
  defaultOn: false,
  inputs: ['wasted work'],
} as const satisfies RuleFacts;
