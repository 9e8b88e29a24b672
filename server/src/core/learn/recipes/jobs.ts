// The jobs of learning recipes for worker threads.

import type { FileVersions, MinedEdit } from './mineEdits.ts';
import type { Induction, InductionOptions } from './induceRecipes.ts';

/** The jobs by name: pure functions that are too slow for the thread that answers requests. */
export interface RecipeLearningJobs {
  /** Extracts small edits from versions of files. */
  mineEdits: { input: readonly FileVersions[]; output: readonly MinedEdit[] };
  /** Induces recipes from edits, newest first. */
  induceRecipes: {
    input: { readonly edits: readonly MinedEdit[]; readonly options: InductionOptions };
    output: Induction;
  };
}
