// vacuous-assertion: finds assertions that hold whatever the tested code does.

import type { RuleFacts } from '../facts.ts';

export const rule = {
  title: 'Assertion that cannot fail',
  severity: 'information',
  worth: 'test',
  recipe: null,
  description: 'An assertion in a test that cannot fail: it has no matcher, or compares a value with itself.',
  tests: true,
} as const satisfies RuleFacts;
