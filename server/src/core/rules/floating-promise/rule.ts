// floating-promise: the facts about this rule, as plain data without code.

import type { RuleFacts } from '../facts.ts';

export const rule = {
  title: 'Floating promise',
  severity: 'information',
  recipe: null,
  description: 'A call in an async function whose promise nobody waits for or catches.',
  defaultOn: false,
  inputs: ['hazards'],
} as const satisfies RuleFacts;
