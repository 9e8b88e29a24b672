// The order to the harness for a search of distinguishing calls, and its report. A call distinguishes a mutant if its
// result with the mutant differs from its result with the unchanged code.

import type { EmitOptions } from '../differential/plan.ts';
import type { ImportedExport } from '../sequences/plan.ts';
import type { SkippedFunction, ArgumentSources, Subject } from '../counterexamples/plan.ts';

/** A text with all mutants of a file, each behind a switch (`schemata.ts`). */
export interface SwitchedText {
  readonly path: string;
  readonly text: string;
}

/** The literals and the names of members in the code around a mutant. */
export interface Near {
  readonly strings: readonly string[];
  readonly numbers: readonly number[];
  /** Names of members that the code reads, such as options. */
  readonly keys: readonly string[];
}

/** The order. The harness reads it as JSON. */
export interface DistinguishingOrder {
  readonly telling: true;
  readonly seed: number;
  /** Time for all functions together, in milliseconds. */
  readonly budgetMs: number;
  /** Numbers of usual and of unusual generated inputs for each function. */
  readonly runs: readonly [plain: number, odd: number];
  /** Number of inputs for each function that are small variations of those in its tests. */
  readonly varied: number;
  /** Maximum number of calls of one function. */
  readonly maxCalls: number;
  readonly subjects: readonly Subject[];
  readonly materials: Readonly<Record<string, ArgumentSources>>;
  readonly emit: EmitOptions;
  readonly files: readonly SwitchedText[];
  /** The mutants for which calls are searched, by their indexes in the switched texts. */
  readonly mutants: readonly number[];
  /** The code around these mutants, by mutant; unknown if absent. */
  readonly nearbyCode?: Readonly<Record<number, Near>>;
  /** Set to skip mutants that calls in the tests distinguish, because the tests probably notice these. */
  readonly exceptExamples?: true;
}

/** The result of a call with the unchanged code. */
export type Result =
  /**
   * `value`: the result as an expression. `promised`: true if the call returns a promise of it. `bare`: set if plain
   * objects in the real result have no prototype, unlike those that the expression creates.
   */
  | { readonly value: string; readonly promised: boolean; readonly bare?: true }
  /** `throws`: the class of the error. `message`: its message. */
  | { readonly throws: string; readonly message: string; readonly promised: boolean };

/** A step as code: the parts before and after the name of an export. Without an export, `before` is the whole step. */
export interface CallStep {
  readonly before: string;
  readonly imported: ImportedExport | null;
  readonly after: string;
}

/** A call whose result some mutants change. */
export interface DistinguishingCall {
  /** The call as an expression: `clamp(11, 0, 10)`. */
  readonly call: string;
  /** The arguments, each as an expression. */
  readonly given: readonly string[];
  /**
   * For a member of a class: the parts of the call before and after the name of the class, such as `new ` and
   * `("a").size`.
   */
  readonly around?: readonly [before: string, after: string];
  /** For an object that is used in several steps: the statements; the last one is the call. */
  readonly steps?: readonly CallStep[];
  /** The names of the functions that the steps pass in order to record their calls. */
  readonly recorders?: readonly string[];
  /** The recorder whose calls are the result; absent if the last step returns the result. */
  readonly observed?: string;
  readonly result: Result;
  /** The mutants that change the result, and the behaviour of the call with each, such as `returns 11`. */
  readonly tells: readonly { readonly mutant: number; readonly then: string }[];
}

/** The report of the harness. */
export interface DistinguishingReport {
  /** The reason why nothing was called; null if something was. */
  readonly obstacle: string | null;
  /** The calls of each function, chosen so that few calls distinguish many mutants. `of`: index of the subject. */
  readonly callsByFunction: readonly { readonly of: number; readonly calls: readonly DistinguishingCall[] }[];
  /** The mutants that some call distinguishes. */
  readonly detected: readonly number[];
  /** The mutants that calls of the tests distinguish, if the order skips these. */
  readonly detectedByTests: readonly number[];
  /**
   * The mutants that calls of each function distinguish, if the order asks only for these. `of`: as in
   * `callsByFunction`.
   */
  readonly toldBy?: readonly { readonly of: number; readonly mutants: readonly number[] }[];
  readonly skipped: readonly SkippedFunction[];
  /** Number of called functions. */
  readonly functions: number;
  /** Number of calls with the unchanged code. */
  readonly inputs: number;
  /** Number of functions that were not called because the time was up. */
  readonly notCalledYet: number;
}
