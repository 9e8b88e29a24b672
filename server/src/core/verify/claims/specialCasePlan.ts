// The type of a plan that shows whether new code was made only for its own tests, and the titles of the planned tests.

import type { FileEdit } from '../../model.ts';

/** A literal for which new code may have been made, and the edits that test this. */
export interface SpecialCasePlan {
  /** The suspicious literal, as written in the new code. */
  readonly literal: string;
  /** `compared`: the new code decides by the literal. `returned`: the new code returns or stores it. */
  readonly how: 'compared' | 'returned';
  /** Edits that add the copies to the changed test files; empty if no test has an input that can be varied. */
  readonly edits: readonly FileEdit[];
}

/**
 * Matches the start of the title of a copy. Its groups are the number of the varied input and the number of the copy.
 */
export const NEAR_TITLE = /near (\d+)\.(\d+): /;
