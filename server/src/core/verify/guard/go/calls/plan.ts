// The facts about the functions of a Go package, so that they can be called and tested. Plain data.

import type { SkippedFunction } from '../../../counterexamples/plan.ts';
import type { Range } from '../../../../model.ts';

/** A value as an expression, or one that a function of the package makes from expressions. */
export type GoValue =
  | { readonly text: string }
  /** `fails`: the function also returns an error. */
  | { readonly maker: string; readonly given: readonly string[]; readonly fails: boolean };

/** One call. `rank`: 0 for values that the tests use, more for values that differ from these. */
export interface GoCall {
  /** Null for a function without a receiver. */
  readonly receiver: GoValue | null;
  readonly given: readonly GoValue[];
  readonly rank: number;
}

/** A function or method that can be called. */
export interface GoSubject {
  readonly path: string;
  /** `Parse`, or `Version.Compare` for a method. */
  readonly name: string;
  /** Name of the receiver in the code; null if it is not a method. */
  readonly receiver: string | null;
  readonly range: Range;
  readonly nameRange: Range;
  /** The types of the results, as written. */
  readonly results: readonly string[];
  readonly calls: readonly GoCall[];
}

/** The part of a test file that decides how tests are added to it. */
export interface GoTestFile {
  readonly path: string;
  readonly packageName: string;
  /** The name by which the file knows the tested package; null if it does not import it, or is a part of it. */
  readonly qualifier: string | null;
  /** Lines of the import declaration, 0-based, the end exclusive; null if there is none. */
  readonly imports: { readonly from: number; readonly to: number; readonly lines: readonly string[] } | null;
  /** Line after the package clause, 0-based. */
  readonly packageEnd: number;
  /** Import paths. */
  readonly imported: readonly string[];
  /** Number of lines. */
  readonly lines: number;
}

/** One package. */
export interface GoPackagePlan {
  /** Path of the folder; empty for the root. */
  readonly folder: string;
  readonly packageName: string;
  readonly subjects: readonly GoSubject[];
  readonly leftOut: readonly SkippedFunction[];
  readonly testFiles: readonly GoTestFile[];
  /** Names of the functions in all of its files, which new tests must not take. */
  readonly taken: readonly string[];
  /**
   * A function that turns a value and an error into the value or a panic, such as `Must`, by the function that makes
   * these.
   */
  readonly must: Readonly<Record<string, string>>;
  /** The types that the package declares: the type as written, by name. */
  readonly types: Readonly<Record<string, string>>;
  /** Names of all functions and constants at the top of the package. Tests outside of the package qualify them. */
  readonly declared: readonly string[];
  /** The comment with the licence at the start of each source, by path. */
  readonly licences: Readonly<Record<string, string>>;
}
