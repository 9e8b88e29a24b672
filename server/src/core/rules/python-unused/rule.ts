// python-unused: finds imports and local variables of Python code that nothing reads.

import type { RuleFacts } from '../facts.ts';

export const rule = {
  title: 'Unused Python import or variable',
  severity: 'information',
  worth: 'removal',
  recipe: 'remove-python-import',
  description: 'An import of Python code that nothing uses, or a local variable that nothing reads.',
  languages: 'python',
  tests: true,
} as const satisfies RuleFacts;
