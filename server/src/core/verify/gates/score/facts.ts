// Gate score: the repository has more points with the change than without it.

import type { GateFacts } from '../facts.ts';

export const facts: GateFacts = {
  order: 50,
  stage: 'text',
  label: 'Points',
  meaning: 'The repository has more points with the change than without it.',
};
