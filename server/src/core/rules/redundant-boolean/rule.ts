// redundant-boolean: what is known of the rule without its code. Plain data.

import type { RuleFacts } from '../facts.ts';

export const rule = {
  title: 'Condition said twice',
  severity: 'hint',
  recipe: 'simplify-boolean',
  description: 'True and false spelled out where a condition says as much.',
  defaultOn: false,
  inputs: ['roundabout code'],
} as const satisfies RuleFacts;
