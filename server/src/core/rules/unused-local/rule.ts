// unused-local: finds local variables, functions, classes and types that are never read.

import type { RuleFacts } from '../facts.ts';

export const rule = {
  title: 'Unused local',
  severity: 'information',
  worth: 'removal',
  recipe: 'remove-unused',
  description: 'A local variable, function, class or type that is never read.',
  needs: 'checker',
  tests: true,
  inputs: ['dead code'],
} as const satisfies RuleFacts;
