// Gate syntax: every edited file still parses.

import type { GateFacts } from '../facts.ts';

export const facts: GateFacts = {
  order: 20,
  stage: 'text',
  label: 'Still parses',
  meaning: 'Every edited file parses as it did before.',
};
