// empty-branch: finds an `if` with a branch that does nothing.

import type { RuleFacts } from '../facts.ts';

export const rule = {
  title: 'Empty side of an if',
  severity: 'hint',
  worth: 'removal',
  recipe: 'remove-branch',
  description: 'An `if` with a branch that does nothing.',
  defaultOn: false,
} as const satisfies RuleFacts;
