// Gate tests: every test that passed before passes with the change.

import type { GateFacts } from '../facts.ts';

export const facts: GateFacts = {
  order: 80,
  stage: 'tests',
  label: 'Tests',
  meaning: 'Every test that passed before passes with the change.',
};
