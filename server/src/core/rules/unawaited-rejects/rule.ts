// unawaited-rejects: finds assertions on promises that are neither awaited nor returned.

import type { RuleFacts } from '../facts.ts';

export const rule = {
  title: 'Assertion that nobody waits for',
  severity: 'information',
  worth: 'fault',
  recipe: 'await-assertion',
  description: 'An assertion about a promise (`.rejects`, `.resolves`) that is neither awaited nor returned.',
  tests: true,
} as const satisfies RuleFacts;
