// Gate guard: the tests notice mistakes that are inserted into the changed lines.

import type { GateFacts } from '../facts.ts';

export const facts: GateFacts = {
  order: 110,
  stage: 'mutants',
  label: 'Tests notice mistakes',
  meaning: 'Mistakes were put into the changed lines on purpose, and the tests noticed them.',
};
