// complex-condition: what is known of the rule without its code. Plain data.

import type { RuleFacts } from '../facts.ts';

export const rule = {
  title: 'Complex condition',
  severity: 'hint',
  recipe: null,
  description: 'A condition of more than 6 parts that mixes `&&` and `||`.',
  defaultOn: false,
  limit: { evidence: 'operators', figure: 'operators in a condition', least: 5 },
} as const satisfies RuleFacts;
