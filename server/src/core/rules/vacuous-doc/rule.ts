// vacuous-doc: finds doc comments that only repeat the name below them.

import type { RuleFacts } from '../facts.ts';

export const rule = {
  title: 'Comment that repeats the name',
  severity: 'hint',
  worth: 'style',
  recipe: null,
  description: 'A doc comment that says no more than the name below it.',
  defaultOn: false,
  inputs: ['documented API'],
} as const satisfies RuleFacts;
