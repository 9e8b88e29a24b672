// types: what is known of the gate without its code. Plain data.

import type { GateFacts } from '../facts.ts';

export const facts: GateFacts = {
  order: 60,
  label: 'Types',
  meaning: 'The type checker finds no error that it did not find before.',
  lasting: true,
};
