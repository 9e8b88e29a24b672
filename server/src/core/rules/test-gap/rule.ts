// test-gap: finds complex exported functions that no test reaches.

import type { RuleFacts } from '../facts.ts';

export const rule = {
  title: 'Untested function',
  severity: 'hint',
  worth: 'test',
  recipe: null,
  description: 'A complex exported function that no test reaches.',
  needs: 'project',
  languages: 'all',
  defaultOn: false,
  inputs: ['test coverage'],
} as const satisfies RuleFacts;
