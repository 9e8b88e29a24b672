// legacy-call: the facts about this rule, as plain data without code.

import type { RuleFacts } from '../facts.ts';

export const rule = {
  title: 'Call of a deprecated function',
  severity: 'hint',
  recipe: 'modern-call',
  description: 'A call of a function of Node or JavaScript that is deprecated or has been removed.',
} as const satisfies RuleFacts;
