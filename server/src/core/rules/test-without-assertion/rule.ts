// test-without-assertion: finds tests that only call something.

import type { RuleFacts } from '../facts.ts';

export const rule = {
  title: 'Test without an assertion',
  severity: 'hint',
  worth: 'test',
  recipe: null,
  description: 'A test that calls something and asserts nothing.',
  tests: true,
  defaultOn: false,
} as const satisfies RuleFacts;
