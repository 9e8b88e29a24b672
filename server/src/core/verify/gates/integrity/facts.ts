// Gate integrity: the change edits no tests, snapshots or settings that judge it, and silences no check.

import type { GateFacts } from '../facts.ts';

export const facts: GateFacts = {
  order: 40,
  stage: 'text',
  label: 'Tests and settings untouched',
  meaning: 'It edits none of the tests, snapshots and settings that judge it, and silences no check.',
};
