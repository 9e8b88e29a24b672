// disabled-test: finds tests that never run, and tests that keep all others from running.

import type { RuleFacts } from '../facts.ts';

export const rule = {
  title: 'Test that is switched off',
  severity: 'hint',
  worth: 'test',
  recipe: null,
  description: 'A test that never runs, or one that keeps all others from running.',
  tests: true,
  defaultOn: false,
} as const satisfies RuleFacts;
