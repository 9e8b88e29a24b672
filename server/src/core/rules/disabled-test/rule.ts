// disabled-test: the facts about this rule, as plain data without code.

import type { RuleFacts } from '../facts.ts';

export const rule = {
  title: 'Test that is switched off',
  severity: 'hint',
  recipe: null,
  description: 'A test that never runs, or one that keeps all others from running.',
  tests: true,
  defaultOn: false,
} as const satisfies RuleFacts;
