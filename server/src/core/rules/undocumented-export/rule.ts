// undocumented-export: finds exports whose comment is not a doc comment.

import type { RuleFacts } from '../facts.ts';

export const rule = {
  title: 'Undocumented export',
  severity: 'hint',
  worth: 'style',
  recipe: 'doc-comment',
  description: 'Exported API whose comment is not a doc comment.',
  needs: 'walk',
  defaultOn: false,
  inputs: ['documented API'],
} as const satisfies RuleFacts;
