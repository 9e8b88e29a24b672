// The type of a plan to show whether new code is made only for its own tests, and the titles of the planned tests.

import type { FileEdit } from '../../model.ts';

/** A literal for which new code may be made, and the edits by which that is tried. */
export interface SpecialCasePlan {
  /** The suspicious literal, as written in the new code. */
  readonly literal: string;
  /** `compared`: the new code decides by the literal. `returned`: the new code returns or stores it. */
  readonly how: 'compared' | 'returned';
  /** Edits that add the copies to the changed test files. Empty if no test has an input that can be varied. */
  readonly edits: readonly FileEdit[];
}

/** Matches the start of the title of a copy. Its groups are the number of the varied input and that of the copy. */
export const NEAR_TITLE = /near (\d+)\.(\d+): /;
