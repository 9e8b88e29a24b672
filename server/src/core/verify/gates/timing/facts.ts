// timing: the facts about this gate, as plain data without code.

import type { GateFacts } from '../facts.ts';

export const facts: GateFacts = {
  order: 90,
  label: 'Not slower',
  meaning: 'The benchmark of the repository runs at least as fast as before.',
  lasting: true,
};
