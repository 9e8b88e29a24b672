// unreachable-code: the facts about this rule, as plain data without code.

import type { RuleFacts } from '../facts.ts';

export const rule = {
  title: 'Unreachable code',
  severity: 'information',
  recipe: 'remove-unreachable',
  description: 'Statements that control never reaches.',
  inputs: ['dead code'],
} as const satisfies RuleFacts;
