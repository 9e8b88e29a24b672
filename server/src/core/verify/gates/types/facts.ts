// Gate types: the type checker finds no new error.

import type { GateFacts } from '../facts.ts';

export const facts: GateFacts = {
  order: 60,
  stage: 'checks',
  label: 'Types',
  meaning: 'The type checker finds no error that it did not find before.',
};
