// python-fault: finds Python code that cannot be what its author meant, such as a dictionary key that is written twice.

import type { RuleFacts } from '../facts.ts';

export const rule = {
  title: 'Fault in Python code',
  severity: 'information',
  worth: 'fault',
  recipe: null,
  description: 'Python code that cannot be what its author meant, such as a comparison without `assert`.',
  languages: 'python',
  tests: true,
} as const satisfies RuleFacts;
