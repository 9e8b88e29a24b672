// The context of the gates guard and differential: limits, paths of the harness, and functions that make plans.

import type { FileEdit } from '../model.ts';
import type { DifferentialPlan } from './differential/plan.ts';
import type { MutantPlan } from './guard/planMutants.ts';
import type { TracePlan } from './traces/planTraces.ts';

/** The dependencies of the gates guard and differential. */
export interface ProofContext {
  readonly settings: {
    /** Seconds for the mutants of one proposal; 0 switches the gate guard off. */
    readonly guardSeconds: number;
    /** Maximum number of mutants of one proposal. */
    readonly guardMutants: number;
    /** Percentage of mutants that strong tests must notice. */
    readonly guardStrength: number;
    /** Seconds for all functions of one proposal; 0 switches the gate differential off. */
    readonly differentialSeconds: number;
    /** Seconds for running the tests with recorded calls; they are not recorded if 0 or absent. */
    readonly traceSeconds?: number;
    /** True if the judgement reduced `guardSeconds`. */
    readonly guardCut?: boolean;
    /** True if the judgement reduced `differentialSeconds`. */
    readonly differentialCut?: boolean;
    /** True if the reduction is due to the time limit of the whole judgement. */
    readonly budgetCut?: boolean;
  };
  /** The command that starts the harness; null if it is not installed. */
  readonly harness: readonly string[] | null;
  /**
   * URL of the module that tries mutants and records calls inside a test runner; null if each mutant gets its own run
   * and no call is recorded.
   */
  readonly inTests?: string | null;
  /** The folder with Selfware's programs for Python; null or absent if there are none. */
  readonly python?: string | null;
  /** `tests`: the edits of the tests that belong to the change. */
  planDifferential(edits: readonly FileEdit[], tests?: readonly FileEdit[]): Promise<DifferentialPlan>;
  /** Plans the recording of calls; if absent, no calls are recorded. */
  planTraces?(edits: readonly FileEdit[]): Promise<TracePlan>;
  planMutants(edits: readonly FileEdit[], maxMutants: number): Promise<MutantPlan>;
  /** True for a recipe that declares that it changes behaviour. */
  changesBehavior(recipe: string): boolean;
  /**
   * True if the recipe checks for importers before it removes an export. Other authors may remove names that other
   * packages import.
   */
  checksImporters(recipe: string): boolean;
}
