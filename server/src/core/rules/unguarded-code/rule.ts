// unguarded-code: reports exported functions in which no test notices certain mistakes.

import type { RuleFacts } from '../facts.ts';

export const rule = {
  title: 'Mistake that no test notices',
  severity: 'information',
  worth: 'test',
  recipe: null,
  description: 'An exported function in which no test notices certain mistakes, found by `selfware unguarded`.',
  needs: 'run',
} as const satisfies RuleFacts;
