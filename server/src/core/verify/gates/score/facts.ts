// score: the facts about this gate, as plain data without code.

import type { GateFacts } from '../facts.ts';

export const facts: GateFacts = {
  order: 50,
  label: 'Points',
  meaning: 'The repository has more points with the change than without it.',
};
