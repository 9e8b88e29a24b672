// vacuous-doc: the facts about this rule, as plain data without code.

import type { RuleFacts } from '../facts.ts';

export const rule = {
  title: 'Comment that repeats the name',
  severity: 'hint',
  recipe: null,
  description: 'A doc comment that says no more than the name below it.',
  defaultOn: false,
  inputs: ['documented API'],
} as const satisfies RuleFacts;
