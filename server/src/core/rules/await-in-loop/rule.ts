// await-in-loop: finds loops that await independent results one after the other.

import type { RuleFacts } from '../facts.ts';

export const rule = {
  title: 'Awaits one by one',
  severity: 'hint',
  worth: 'simplification',
  recipe: 'parallel-awaits',
  description: 'A loop that waits for independent results one after the other.',
  defaultOn: false,
  inputs: ['wasted work'],
} as const satisfies RuleFacts;
