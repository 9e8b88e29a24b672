// unused-file: finds modules that no file imports and no script or configuration names.

import type { RuleFacts } from '../facts.ts';

export const rule = {
  title: 'Unused file',
  severity: 'information',
  worth: 'removal',
  recipe: null,
  description: 'A module that no file imports and no script or configuration names.',
  needs: 'project',
} as const satisfies RuleFacts;
