// unexplained-export: what is known of the rule without its code. Plain data.

import type { RuleFacts } from '../facts.ts';

export const rule = {
  title: 'Unexplained export',
  severity: 'hint',
  recipe: 'document-from-evidence',
  description: 'An exported function that no comment says anything about.',
  needs: 'walk',
  defaultOn: false,
  inputs: ['documented API'],
} as const satisfies RuleFacts;
