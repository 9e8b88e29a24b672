// sync-io: what is known of the rule without its code. Plain data.

import type { RuleFacts } from '../facts.ts';

export const rule = {
  title: 'Blocking call',
  severity: 'hint',
  recipe: null,
  description: 'A synchronous file, process or crypto call in a request handler.',
} as const satisfies RuleFacts;
