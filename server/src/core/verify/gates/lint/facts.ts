// lint: the facts about this gate, as plain data without code.

import type { GateFacts } from '../facts.ts';

export const facts: GateFacts = {
  order: 70,
  label: 'Linter',
  meaning: 'The linter finds no more in the edited files than before.',
  lasting: true,
};
