// suppression-without-reason: finds `selfware-ignore` comments that give no reason.

import type { RuleFacts } from '../facts.ts';

export const rule = {
  title: 'Suppression without a reason',
  severity: 'hint',
  worth: 'style',
  recipe: null,
  description: 'A `selfware-ignore` comment that does not say why.',
  needs: 'findings',
  languages: 'all',
  tests: true,
} as const satisfies RuleFacts;
