// unused-suppression: what is known of the rule without its code. Plain data.

import type { RuleFacts } from '../facts.ts';

export const rule = {
  title: 'Unused suppression',
  severity: 'hint',
  recipe: null,
  description: 'A `selfware-ignore` comment that hides nothing.',
  needs: 'findings',
  languages: 'all',
  tests: true,
} as const satisfies RuleFacts;
