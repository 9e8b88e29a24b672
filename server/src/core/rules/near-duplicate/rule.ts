// near-duplicate: finds functions that differ hardly more than in their names.

import type { RuleFacts } from '../facts.ts';

export const rule = {
  title: 'Near-duplicate function',
  severity: 'hint',
  worth: 'simplification',
  recipe: 'merge-copies',
  description: 'Functions that differ in little more than names.',
  needs: 'project',
  languages: 'all',
  defaultOn: false,
} as const satisfies RuleFacts;
