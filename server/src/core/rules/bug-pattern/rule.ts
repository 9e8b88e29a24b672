// bug-pattern: finds code that cannot be what its author meant, such as a comparison of a value with itself.

import type { RuleFacts } from '../facts.ts';

export const rule = {
  title: 'Bug pattern',
  severity: 'information',
  worth: 'fault',
  recipe: 'mend-pattern',
  description: 'Code that cannot be what its author meant, such as a comparison of a value with itself or with NaN.',
} as const satisfies RuleFacts;
