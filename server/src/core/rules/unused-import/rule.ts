// unused-import: finds imports whose names are never read.

import type { RuleFacts } from '../facts.ts';

export const rule = {
  title: 'Unused import',
  severity: 'information',
  worth: 'removal',
  recipe: 'remove-unused',
  description: 'An import whose names are never read.',
  needs: 'checker',
  tests: true,
  inputs: ['dead code'],
} as const satisfies RuleFacts;
