// counterexample: reports exported functions that fail for a call that their types allow.

import type { RuleFacts } from '../facts.ts';

export const rule = {
  title: 'Call that breaks',
  severity: 'information',
  worth: 'fault',
  recipe: null,
  description: 'An exported function that breaks for a call that its types allow, found by `selfware counterexamples`.',
  needs: 'run',
} as const satisfies RuleFacts;
