// What of a change may fit only its own tests, and the tests that can show whether it does.

import type { FileEdit } from '../../model.ts';

export interface NearPlan {
  /** The literal as it is written in the new code. */
  readonly literal: string;
  /** `compared`: the new code decides by it. `returned`: the new code answers with it. */
  readonly how: 'compared' | 'returned';
  /** Edits of test files, after the change → with the copies. Empty if no test has an input that can be changed. */
  readonly edits: readonly FileEdit[];
}

/** Begins the title of a copy: the number of the input that differs, and that of the copy. */
export const NEAR_TITLE = /near (\d+)\.(\d+): /;
