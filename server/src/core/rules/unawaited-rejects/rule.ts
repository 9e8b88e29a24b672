// unawaited-rejects: the facts about this rule, as plain data without code.

import type { RuleFacts } from '../facts.ts';

export const rule = {
  title: 'Assertion that nobody waits for',
  severity: 'information',
  recipe: 'await-assertion',
  description: 'An assertion about a promise (`.rejects`, `.resolves`) that is neither awaited nor returned.',
  tests: true,
} as const satisfies RuleFacts;
