// Gate charter: the change touches nothing protected and stays within the limits of the charter.

import type { GateFacts } from '../facts.ts';

export const facts: GateFacts = {
  order: 30,
  stage: 'text',
  label: 'Allowed here',
  meaning: 'It touches nothing that this repository protects, and stays within the limits that you set.',
};
