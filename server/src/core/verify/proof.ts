// What the gates guard and differential need besides the sandbox.

import type { FileEdit } from '../model.ts';
import type { DifferentialPlan } from './differential/plan.ts';
import type { MutantPlan } from './guard/planMutants.ts';

export interface Proof {
  readonly settings: {
    /** For the mutants of one proposal; 0 = the gate does not run. */
    readonly guardSeconds: number;
    readonly guardMutants: number;
    /** Of a hundred mutants, so many must be noticed for the tests to be strong. */
    readonly guardStrength: number;
    /** For all functions of one proposal; 0 = the gate does not run. */
    readonly differentialSeconds: number;
  };
  /** The line that starts the harness; null = it is not installed. */
  readonly harness: readonly string[] | null;
  /** Address of the module that tries mutants inside a test runner; null = each has a run of its own. */
  readonly inTests?: string | null;
  planDifferential(edits: readonly FileEdit[]): Promise<DifferentialPlan>;
  planMutants(edits: readonly FileEdit[], most: number): Promise<MutantPlan>;
  /** True for recipes that say themselves that they change what the code does. */
  changesBehavior(recipe: string): boolean;
  /**
   * Whether the recipe has looked for whoever may import what it takes away; anybody else may take a name away that
   * other packages import.
   */
  looksForImporters(recipe: string): boolean;
}
