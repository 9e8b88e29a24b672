// Gate lint: the linter finds nothing new in the edited files.

import type { GateFacts } from '../facts.ts';

export const facts: GateFacts = {
  order: 70,
  stage: 'checks',
  label: 'Linter',
  meaning: 'The linter finds no more in the edited files than before.',
};
