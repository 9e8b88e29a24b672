// unused-suppression: finds `selfware-ignore` comments that hide nothing.

import type { RuleFacts } from '../facts.ts';

export const rule = {
  title: 'Unused suppression',
  severity: 'hint',
  worth: 'style',
  recipe: null,
  description: 'A `selfware-ignore` comment that hides nothing.',
  needs: 'findings',
  languages: 'all',
  tests: true,
} as const satisfies RuleFacts;
