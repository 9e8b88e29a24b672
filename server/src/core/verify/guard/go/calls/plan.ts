// The facts about the functions of a Go package that are needed to call and test them.

import type { SkippedFunction } from '../../../counterexamples/plan.ts';
import type { Range } from '../../../../model.ts';

/** A value as an expression, or a value that a function of the package creates from expressions. */
export type GoValue =
  | { readonly text: string }
  /** `fails`: true if the function also returns an error. */
  | { readonly maker: string; readonly given: readonly string[]; readonly fails: boolean };

/** One call. `rank`: 0 for values that the tests use; higher for values that differ from these. */
export interface GoCall {
  /** Null for a function without a receiver. */
  readonly receiver: GoValue | null;
  readonly given: readonly GoValue[];
  readonly rank: number;
}

/** A function or method that can be called. */
export interface GoSubject {
  readonly path: string;
  /** For example `Parse`, or `Version.Compare` for a method. */
  readonly name: string;
  /** Name of the receiver in the code; null if it is not a method. */
  readonly receiver: string | null;
  readonly range: Range;
  readonly nameRange: Range;
  /** The types of the results, as written. */
  readonly results: readonly string[];
  readonly calls: readonly GoCall[];
}

/** The part of a test file that determines how tests are added to it. */
export interface GoTestFile {
  readonly path: string;
  readonly packageName: string;
  /** The name by which the file refers to the tested package; null if the file does not import it, or belongs to it. */
  readonly qualifier: string | null;
  /** The lines of the import declaration (0-based, exclusive end); null if there is none. */
  readonly imports: { readonly from: number; readonly to: number; readonly lines: readonly string[] } | null;
  /** The line after the package clause (0-based). */
  readonly packageEnd: number;
  /** The paths of the imports. */
  readonly imported: readonly string[];
  /** Number of lines. */
  readonly lines: number;
}

/** The plan for one package. */
export interface GoPackagePlan {
  /** Path of the folder; empty for the root. */
  readonly folder: string;
  readonly packageName: string;
  readonly subjects: readonly GoSubject[];
  readonly leftOut: readonly SkippedFunction[];
  readonly testFiles: readonly GoTestFile[];
  /** Names of the functions in all of the package's files, which new tests must not use. */
  readonly taken: readonly string[];
  /**
   * Maps a function that returns a value and an error to a function such as `Must`, which turns these into the value or
   * a panic.
   */
  readonly must: Readonly<Record<string, string>>;
  /** The declared types of the package by name, as written. */
  readonly types: Readonly<Record<string, string>>;
  /**
   * Names of all functions and constants at the top of the package. Tests outside of the package must qualify them.
   */
  readonly declared: readonly string[];
  /** The licence comment at the start of each source, by path. */
  readonly licences: Readonly<Record<string, string>>;
}
