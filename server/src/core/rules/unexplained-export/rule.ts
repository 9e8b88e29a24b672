// unexplained-export: finds exported functions without any comment.

import type { RuleFacts } from '../facts.ts';

export const rule = {
  title: 'Unexplained export',
  severity: 'hint',
  worth: 'style',
  recipe: 'document-from-evidence',
  description: 'An exported function that no comment says anything about.',
  needs: 'walk',
  defaultOn: false,
  inputs: ['documented API'],
} as const satisfies RuleFacts;
