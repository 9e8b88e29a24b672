// complex-condition: finds conditions of more than 6 parts that mix `&&` and `||`.

import type { RuleFacts } from '../facts.ts';

export const rule = {
  title: 'Complex condition',
  severity: 'hint',
  worth: 'simplification',
  recipe: null,
  description: 'A condition of more than 6 parts that mixes `&&` and `||`.',
  defaultOn: false,
  // 6 parts have 5 operators.
  limit: { evidence: 'operators', figure: 'operators in a condition', least: 5 },
} as const satisfies RuleFacts;
