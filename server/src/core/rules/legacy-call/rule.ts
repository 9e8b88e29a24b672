// legacy-call: finds calls of functions of Node or JavaScript that are deprecated or were removed.

import type { RuleFacts } from '../facts.ts';

export const rule = {
  title: 'Call of a deprecated function',
  severity: 'hint',
  worth: 'simplification',
  recipe: 'modern-call',
  description: 'A call of a function of Node or JavaScript that is deprecated or has been removed.',
} as const satisfies RuleFacts;
