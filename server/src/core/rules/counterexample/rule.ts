// counterexample: the facts about this rule, as plain data without code.

import type { RuleFacts } from '../facts.ts';

export const rule = {
  title: 'Call that breaks',
  severity: 'information',
  recipe: null,
  description: 'An exported function that breaks for a call that its types allow, found by `selfware counterexamples`.',
  needs: 'run',
} as const satisfies RuleFacts;
