// near-duplicate: what is known of the rule without its code. Plain data.

import type { RuleFacts } from '../facts.ts';

export const rule = {
  title: 'Near-duplicate function',
  severity: 'hint',
  recipe: null,
  description: 'Functions that differ in little more than names.',
  needs: 'project',
  languages: 'all',
  defaultOn: false,
} as const satisfies RuleFacts;
