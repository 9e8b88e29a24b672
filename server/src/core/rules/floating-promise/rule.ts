// floating-promise: finds calls in async functions whose promise is neither awaited nor caught.

import type { RuleFacts } from '../facts.ts';

export const rule = {
  title: 'Floating promise',
  severity: 'information',
  worth: 'fault',
  recipe: null,
  description: 'A call in an async function whose promise nobody waits for or catches.',
  defaultOn: false,
  inputs: ['hazards'],
} as const satisfies RuleFacts;
