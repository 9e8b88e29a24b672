// vacuous-assertion: finds assertions that pass whatever the tested code does.

import type { RuleFacts } from '../facts.ts';

export const rule = {
  title: 'Assertion that cannot fail',
  severity: 'information',
  worth: 'test',
  recipe: 'complete-assertion',
  description: 'An assertion or a test that cannot fail: it has no matcher, compares a value with itself, or is empty.',
  tests: true,
} as const satisfies RuleFacts;
