// The jobs that verification gives to worker threads: planning proofs, and reading tests.

import type { FileEdit } from '../model.ts';
import type { TreeChange } from '../model/judgement.ts';
import type { TestCaseFacts } from './judge/assertion.ts';
import type { SearchPlan } from './counterexamples/plan.ts';
import type { Contradiction } from './cheats/contradictions.ts';
import type { Variant } from './cheats/planCheats.ts';
import type { SpecialCasePlan } from './claims/specialCasePlan.ts';
import type { DifferentialPlan } from './differential/plan.ts';
import type { DocumentText, ExamplePlan } from './examples/examplePlan.ts';
import type { GoPackagePlan } from './guard/go/calls/plan.ts';
import type { DocName } from './integrity/docNames.ts';
import type { NewState } from './integrity/newState.ts';
import type { MutantPlan } from './guard/planMutants.ts';
import type { RecordedCalls } from './guard/recordedCalls.ts';
import type { TracePlan } from './traces/planTraces.ts';

/** Pure functions that are too heavy for the request path, by name. */
export interface VerifyJobs {
  /** Plans the comparison of the old and new side of edits, with inputs that the types of the tree allow. */
  planDifferential: {
    input: {
      readonly rootDir: string;
      readonly edits: readonly FileEdit[];
      readonly tests?: readonly FileEdit[];
    };
    output: DifferentialPlan;
  };
  /** Plans a search for calls that break the exported functions of these files. */
  planSearch: {
    input: {
      readonly rootDir: string;
      readonly paths: readonly string[];
      /** The test files of each file, by its path; a file without an entry has no examples. */
      readonly tests: Readonly<Record<string, readonly string[]>>;
      readonly recorded?: RecordedCalls;
      readonly imports?: Readonly<Record<string, readonly string[]>>;
    };
    output: SearchPlan;
  };
  /** Creates programs from the code blocks in these documents that state results. */
  planExamples: {
    input: { readonly documents: readonly DocumentText[] };
    output: ExamplePlan;
  };
  /**
   * The texts of JavaScript files, changed so that their functions append their arguments to `file` (an absolute path);
   * null for a file without such functions.
   */
  recordCalls: {
    input: { readonly files: readonly { readonly path: string; readonly text: string }[]; readonly file: string };
    output: readonly (string | null)[];
  };
  /** Plans up to `most` mutants of the touched lines. */
  planMutants: { input: { readonly edits: readonly FileEdit[]; readonly most: number }; output: MutantPlan };
  /** Plans calls of the exported functions in some files of a Go package; null if no file can be parsed. */
  planGoCalls: {
    input: {
      readonly folder: string;
      /** All Go files of the package. */
      readonly files: readonly { readonly path: string; readonly text: string }[];
      /** The files whose functions are called. */
      readonly paths: readonly string[];
    };
    output: GoPackagePlan | null;
  };
  /** Plans the recording of the calls of the touched functions. */
  planTraces: { input: { readonly edits: readonly FileEdit[] }; output: TracePlan };
  /** Finds variables that edits newly keep between calls. */
  newState: { input: { readonly edits: readonly FileEdit[] }; output: readonly NewState[] };
  /** Counts exports that lose their documentation. */
  lostDocumentation: { input: { readonly edits: readonly FileEdit[] }; output: number };
  /** Finds names in new documentation comments that neither the edited files nor the language declare. */
  docNames: { input: { readonly edits: readonly FileEdit[] }; output: readonly DocName[] };
  /** Describes code that may hide a fault from the tests, one sentence each. */
  hiddenFaults: { input: Pick<TreeChange, 'edits' | 'renamed'>; output: readonly string[] };
  /** Reads the tests of scripts, case by case. */
  testCases: {
    input: readonly { readonly path: string; readonly text: string }[];
    output: readonly TestCaseFacts[];
  };
  /** Finds code that may fit only the tests of the change, and writes tests with similar inputs. */
  planNear: {
    input: { readonly edits: readonly FileEdit[]; readonly shown: readonly string[] };
    output: SpecialCasePlan | null;
  };
  /** Plans variants of a change that are worse on purpose: at most one of each kind. */
  planCheats: { input: { readonly edits: readonly FileEdit[] }; output: readonly Variant[] };
  /** Writes test cases that contradict a case of the same file. */
  contradictions: {
    input: { readonly path: string; readonly text: string };
    output: readonly Contradiction[];
  };
}
