// sync-io: finds synchronous file, process and crypto calls in request handlers.

import type { RuleFacts } from '../facts.ts';

export const rule = {
  title: 'Blocking call',
  severity: 'hint',
  worth: 'simplification',
  recipe: null,
  description: 'A synchronous file, process or crypto call in a request handler.',
} as const satisfies RuleFacts;
