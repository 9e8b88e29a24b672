// Defines the jobs of recipes that run in worker threads.

import type { Opportunity, FileEdit, SafetyLevel } from '../model.ts';
import type { JointChange } from './jointChange.ts';
import type { PatternJobs } from './patterns/jobs.ts';
import type { TransformRequest } from './transforms/request.ts';

/** The inputs and outputs of jobs that are too heavy for the request path, by name. Jobs have no side effects. */
export interface ProposeJobs extends PatternJobs {
  /** Runs the recipe of an opportunity. `asked`: true if a person has named this opportunity. */
  applyRecipe: {
    input: { readonly rootDir: string; readonly opportunity: Opportunity; readonly asked?: boolean };
    output:
      | {
          readonly edits: readonly FileEdit[];
          readonly title: string;
          readonly rationale: string;
          /** Mutants that its tests notice, as in `Proposal`. */
          readonly addresses?: readonly string[];
          /** As in `Proposal`. */
          readonly nearby?: true;
        }
      | { readonly refused: string };
  };
  /**
   * Realises an opportunity together with everything that belongs to it in the same function. `without`: the
   * switched-off rules and the dismissed opportunities, which are left out.
   */
  compose: {
    input: ProposeJobs['applyRecipe']['input'] & { readonly without: ProposeJobs['fixText']['input']['without'] };
    output: ProposeJobs['applyRecipe']['output'];
  };
  /** Realises an opportunity together with those of `wanted` that the same recipe can realise in the same file. */
  alike: {
    input: ProposeJobs['applyRecipe']['input'] & { readonly wanted: readonly Opportunity[] };
    output: JointChange;
  };
  /**
   * Applies all safe fixes to one text, except those of switched-off rules and of dismissed opportunities, which
   * `without` lists. `fixed`: the titles of the fixes. `opportunities`: the ids of the fixed opportunities.
   */
  fixText: {
    input: {
      readonly rootDir: string;
      readonly path: string;
      readonly text: string;
      readonly without: { readonly rules: readonly string[]; readonly opportunities: readonly string[] };
    };
    output: { readonly text: string; readonly fixed: readonly string[]; readonly opportunities: readonly string[] };
  };
  /** Determines from edits and the current tree how far the effects of the edits reach. */
  safety: {
    input: {
      readonly rootDir: string;
      /**
       * True if no recipe of Selfware made the edits. Then only a proof shows that they keep behaviour, and every
       * comment that a tool may read is taken into account.
       */
      readonly isExternal?: boolean;
      readonly edits: readonly FileEdit[];
    };
    output: SafetyLevel;
  };
  /** For each file, true if its errors may have a `cause`, according to the settings of its package. */
  knowsCause: {
    input: { readonly rootDir: string; readonly paths: readonly string[] };
    output: readonly boolean[];
  };
  /** Makes a change that is requested by the name of a transform. */
  transform: {
    input: { readonly rootDir: string; readonly request: TransformRequest };
    output: ProposeJobs['applyRecipe']['output'];
  };
}
