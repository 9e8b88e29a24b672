// lint: what is known of the gate without its code. Plain data.

import type { GateFacts } from '../facts.ts';

export const facts: GateFacts = {
  order: 70,
  label: 'Linter',
  meaning: 'The linter finds no more in the edited files than before.',
  lasting: true,
};
