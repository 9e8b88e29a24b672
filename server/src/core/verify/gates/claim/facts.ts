// Gate claim: the change was shown to make the improvement that it claims.

import type { GateFacts } from '../facts.ts';

export const facts: GateFacts = {
  order: 95,
  stage: 'claim',
  label: 'What gets better',
  meaning:
    'What the change claims to make better is shown: a fix, better tests, exact types, speed, or what was asked for.',
};
