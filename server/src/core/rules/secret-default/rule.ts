// secret-default: finds secrets that are read from the environment and have a default value in the code.

import type { RuleFacts } from '../facts.ts';

export const rule = {
  title: 'Secret with a default',
  severity: 'information',
  worth: 'fault',
  recipe: null,
  description: 'A secret that is read from the environment, with a text in the code where none is set.',
} as const satisfies RuleFacts;
