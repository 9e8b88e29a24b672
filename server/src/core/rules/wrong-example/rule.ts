// wrong-example: reports examples in the documentation whose stated result is not what the code returns.

import type { RuleFacts } from '../facts.ts';

export const rule = {
  title: 'Wrong example in the documentation',
  severity: 'information',
  worth: 'fault',
  recipe: null,
  description: 'An example in the documentation whose stated result is wrong, found by `selfware examples`.',
  needs: 'run',
  languages: 'all',
} as const satisfies RuleFacts;
