// collapsible-if: finds an `if` whose only content is another `if`.

import type { RuleFacts } from '../facts.ts';

export const rule = {
  title: 'If around an if',
  severity: 'hint',
  worth: 'style',
  recipe: 'merge-if',
  description: 'An `if` whose only content is another `if`.',
  defaultOn: false,
  inputs: ['cognitive complexity', 'nesting', 'roundabout code'],
} as const satisfies RuleFacts;
