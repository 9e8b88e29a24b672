// secret-default: the facts about this rule, as plain data without code.

import type { RuleFacts } from '../facts.ts';

export const rule = {
  title: 'Secret with a default',
  severity: 'information',
  recipe: null,
  description: 'A secret that is read from the environment, with a text in the code where none is set.',
} as const satisfies RuleFacts;
