// The order for a search of calls that tell a mutant from the code as it is, and its results. Plain data.

import type { EmitOptions } from '../differential/plan.ts';
import type { LeftOut, Material, Subject } from '../counterexamples/plan.ts';

/** A text with all mutants of a file, each behind a switch (`schemata.ts`). */
export interface SwitchedText {
  readonly path: string;
  readonly text: string;
}

export interface TellingOrder {
  readonly telling: true;
  readonly seed: number;
  /** Time for all functions together, in milliseconds. */
  readonly budgetMs: number;
  /** Numbers of plain and of odd inputs for each function. */
  readonly runs: readonly [plain: number, odd: number];
  /** Number of inputs of each function that differ a little from those of its tests. */
  readonly varied: number;
  /** Maximum number of calls of one function. */
  readonly most: number;
  readonly subjects: readonly Subject[];
  readonly materials: Readonly<Record<string, Material>>;
  readonly emit: EmitOptions;
  readonly files: readonly SwitchedText[];
  /** The mutants to find calls for: their numbers in the switched texts. */
  readonly mutants: readonly number[];
  /** Set if mutants that the calls of the tests tell are left out, because the tests probably notice them. */
  readonly exceptExamples?: true;
}

/** What a call does with the code as it is. */
export type Result =
  /**
   * `value`: an expression. `promised`: the call returns a promise of it. `bare`: its plain objects have no prototype,
   * those of the expression do.
   */
  | { readonly value: string; readonly promised: boolean; readonly bare?: true }
  /** `message`: of an error that the code itself made. */
  | { readonly throws: string; readonly message: string; readonly promised: boolean };

export interface TellingCall {
  /** The call as an expression: `clamp(11, 0, 10)`. */
  readonly call: string;
  /** The arguments, each as an expression. */
  readonly given: readonly string[];
  /** Of a member of a class: what stands in the call before and after the name of the class: `new `, `("a").size`. */
  readonly around?: readonly [before: string, after: string];
  readonly result: Result;
  /** The mutants that change the result, with what the call does then: `returns 11`. */
  readonly tells: readonly { readonly mutant: number; readonly then: string }[];
}

export interface TellingReport {
  /** Why nothing was called, or null. */
  readonly obstacle: string | null;
  /** The calls found, by index in the list of subjects: few calls that show as many mutants as possible. */
  readonly found: readonly { readonly of: number; readonly calls: readonly TellingCall[] }[];
  /** All mutants that a call tells. */
  readonly told: readonly number[];
  readonly leftOut: readonly LeftOut[];
  /** Number of functions that were called, and number of calls of the code as it is. */
  readonly functions: number;
  readonly inputs: number;
  /** Number of functions for which no time was left. */
  readonly undone: number;
}
