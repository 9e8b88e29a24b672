// Gate timing: the benchmark of the repository is not slower than before.

import type { GateFacts } from '../facts.ts';

export const facts: GateFacts = {
  order: 90,
  stage: 'timing',
  label: 'Not slower',
  meaning: 'The benchmark of the repository runs at least as fast as before.',
};
