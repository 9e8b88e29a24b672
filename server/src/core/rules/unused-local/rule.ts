// unused-local: what is known of the rule without its code. Plain data.

import type { RuleFacts } from '../facts.ts';

export const rule = {
  title: 'Unused local',
  severity: 'information',
  recipe: 'remove-unused',
  description: 'A local variable, function, class or type that is never read.',
  needs: 'checker',
  tests: true,
  inputs: ['dead code'],
} as const satisfies RuleFacts;
