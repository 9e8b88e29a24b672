// Gate differential: old and new code behave the same on generated inputs or in the calls that the tests make.

import type { GateFacts } from '../facts.ts';

export const facts: GateFacts = {
  order: 100,
  stage: 'behaviour',
  label: 'Same behaviour',
  meaning:
    'Old and new code were run side by side, on many inputs or in the calls that the tests make, and did the same.',
};
