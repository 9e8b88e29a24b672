// timing: what is known of the gate without its code. Plain data.

import type { GateFacts } from '../facts.ts';

export const facts: GateFacts = {
  order: 90,
  label: 'Not slower',
  meaning: 'The benchmark of the repository runs at least as fast as before.',
  lasting: true,
};
