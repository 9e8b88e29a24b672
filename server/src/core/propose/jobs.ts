// The jobs of recipes for worker threads.

import type { Opportunity, FileEdit, SafetyLevel } from '../model.ts';
import type { Alike } from './alike.ts';
import type { TransformRequest } from './transforms/request.ts';

/** Pure functions that are too heavy for the request path, by name. */
export interface ProposeJobs {
  /** Let a recipe realise an opportunity. `asked`: a person has named this very one. */
  realise: {
    input: { readonly rootDir: string; readonly opportunity: Opportunity; readonly asked?: boolean };
    output:
      | { readonly edits: readonly FileEdit[]; readonly title: string; readonly rationale: string }
      | { readonly refused: string };
  };
  /** The change of an opportunity with all that goes along with it in the same function. `without`: as in `fixText`. */
  compose: {
    input: ProposeJobs['realise']['input'] & { readonly without: ProposeJobs['fixText']['input']['without'] };
    output: ProposeJobs['realise']['output'];
  };
  /** The change of an opportunity with those of `wanted` that the same recipe mends in the same file. */
  alike: { input: ProposeJobs['realise']['input'] & { readonly wanted: readonly Opportunity[] }; output: Alike };
  /** All that recipes may do to a text alone, but for rules that are off and opportunities that were dismissed. */
  fixText: {
    input: {
      readonly rootDir: string;
      readonly path: string;
      readonly text: string;
      readonly without: { readonly rules: readonly string[]; readonly opportunities: readonly string[] };
    };
    output: { readonly text: string; readonly fixed: readonly string[]; readonly opportunities: readonly string[] };
  };
  /** how far edits reach, computed from them and the tree as it is. */
  safety: {
    input: {
      readonly rootDir: string /** What only looks like a rearrangement counts as a change. */;
      readonly provedOnly?: boolean;
      /** No recipe of the product made them: any comment that a tool may read counts. */
      readonly isBrought?: boolean;
      readonly edits: readonly FileEdit[];
    };
    output: SafetyLevel;
  };
  /** Make a change that is asked for by name. */
  transform: {
    input: { readonly rootDir: string; readonly request: TransformRequest };
    output: ProposeJobs['realise']['output'];
  };
}
