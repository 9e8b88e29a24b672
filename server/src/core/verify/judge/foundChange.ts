// A change of a test, as found in the texts.

import type { TestChange } from '../../model/judgement.ts';

/** A change of a test whose old form has not been run yet. */
export type FoundChange = Omit<TestChange, 'oldTest' | 'said'>;
