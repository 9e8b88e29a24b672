// The jobs of learning recipes for worker threads.

import type { FileVersions, MinedEdit } from './mineEdits.ts';
import type { Induction, InductionOptions } from './induceRecipes.ts';

/** Pure functions that are too heavy for the request path, by name. */
export interface RecipeLearningJobs {
  /** Reads small edits out of versions of files. */
  mineEdits: { input: readonly FileVersions[]; output: readonly MinedEdit[] };
  /** Induces recipes from edits, newest first. */
  induceRecipes: {
    input: { readonly edits: readonly MinedEdit[]; readonly options: InductionOptions };
    output: Induction;
  };
}
