// Gate applies: the edits fit the current texts of the files.

import type { GateFacts } from '../facts.ts';

export const facts: GateFacts = {
  order: 10,
  stage: 'text',
  label: 'Fits the files',
  meaning: 'The edits fit the files as they are now.',
};
