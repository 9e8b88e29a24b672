// unreachable-code: finds statements that control never reaches.

import type { RuleFacts } from '../facts.ts';

export const rule = {
  title: 'Unreachable code',
  severity: 'information',
  worth: 'removal',
  recipe: 'remove-unreachable',
  description: 'Statements that control never reaches.',
  inputs: ['dead code'],
} as const satisfies RuleFacts;
