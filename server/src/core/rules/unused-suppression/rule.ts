// unused-suppression: the facts about this rule, as plain data without code.

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
