// complex-condition: the facts about this rule, as plain data without code.

import type { RuleFacts } from '../facts.ts';

export const rule = {
  title: 'Complex condition',
  severity: 'hint',
  recipe: null,
  description: 'A condition of more than 6 parts that mixes `&&` and `||`.',
  defaultOn: false,
  limit: { evidence: 'operators', figure: 'operators in a condition', least: 5 },
} as const satisfies RuleFacts;
