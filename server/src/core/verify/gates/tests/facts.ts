// tests: the facts about this gate, as plain data without code.

import type { GateFacts } from '../facts.ts';

export const facts: GateFacts = {
  order: 80,
  label: 'Tests',
  meaning: 'Every test that passed before passes with the change.',
  lasting: true,
};
