// import-cycle: finds files that load each other in a cycle.

import type { RuleFacts } from '../facts.ts';

export const rule = {
  title: 'Import cycle',
  severity: 'information',
  worth: 'simplification',
  recipe: null,
  description: 'Files that load each other in a circle.',
  needs: 'project',
} as const satisfies RuleFacts;
