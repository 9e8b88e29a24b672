// unused-dependency: finds entries of package.json that no import, script or configuration names.

import type { RuleFacts } from '../facts.ts';

export const rule = {
  title: 'Unused dependency',
  severity: 'hint',
  worth: 'removal',
  recipe: 'remove-dependency',
  description: 'An entry of package.json that no import, script or configuration names.',
  needs: 'project',
  languages: 'all',
} as const satisfies RuleFacts;
