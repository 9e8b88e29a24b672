// flaky-test: reports tests that passed and failed on the same code while changes were verified.

import type { RuleFacts } from '../facts.ts';

export const rule = {
  title: 'Flaky test',
  severity: 'information',
  worth: 'test',
  recipe: null,
  description: 'A test that passed and failed on the same code while changes were verified.',
  needs: 'run',
  languages: 'all',
  tests: true,
} as const satisfies RuleFacts;
