// The types of a check of examples: code blocks of documentation with the results that their comments state.

import type { EmitOptions } from '../differential/plan.ts';

/** A document with examples: Markdown, or a script with `@example` tags in its comments. */
export interface DocumentText {
  readonly path: string;
  readonly text: string;
  /** The name of the package to which the document belongs; null if it belongs to none. */
  readonly packageName: string | null;
  /**
   * The script whose exports the document describes: the document itself, or the code beside type declarations. Null if
   * there is none.
   */
  readonly codePath: string | null;
  /** True if the document lies in the folder of the package's manifest. */
  readonly isAtPackageRoot: boolean;
}

/** One stated result: an expression, and the comment that says what it returns. */
export interface ExampleCheck {
  /** 1-based line of the stated result in its document. */
  readonly line: number;
  /** 0-based column at which the stated result begins. */
  readonly column: number;
  /** The expression, on one line. */
  readonly call: string;
  /**
   * The stated result as it is written, without the mark (`// =>`). It has several lines if it continues in further
   * comments.
   */
  readonly stated: string;
}

/** A code block as a program that reports the result of each check. */
export interface ExampleProgram {
  /** The document. */
  readonly path: string;
  /** An ES module in JavaScript, which calls `EXAMPLE_FUNCTION` for each check. */
  readonly code: string;
  readonly checks: readonly ExampleCheck[];
}

/**
 * The name of the global function that a program calls with the index of a check and a function with its expression.
 */
export const EXAMPLE_FUNCTION = '__selfwareExample';

/** The programs of some documents. `leftOut`: blocks with stated results that cannot be run, and why. */
export interface ExamplePlan {
  readonly programs: readonly ExampleProgram[];
  readonly leftOut: readonly { readonly path: string; readonly line: number; readonly reason: string }[];
}

/** The input of the harness for running examples. */
export interface ExamplesOrder {
  readonly examples: readonly ExampleProgram[];
  /** The folders of the repository's own packages, which documents import by name. */
  readonly packageFolders: readonly string[];
  readonly emit: EmitOptions;
  readonly budgetMs: number;
}

/**
 * The outcome of a check: the result is as stated; it is another one (`actual`: as an expression, in the style of the
 * stated one); or nothing certain can be said.
 */
export type ExampleOutcome =
  | { readonly outcome: 'same' }
  | { readonly outcome: 'wrong'; readonly actual: string }
  | { readonly outcome: 'unknown'; readonly reason: string };

/** The outcomes of the checks of each program, in order; shorter if the time was over. */
export interface ExamplesReport {
  /** The reason why nothing could be run; null if something was. */
  readonly obstacle: string | null;
  readonly outcomes: readonly (readonly ExampleOutcome[])[];
}

/** A stated result that is wrong. */
export interface WrongExample extends ExampleCheck {
  readonly path: string;
  /** The result as an expression, in the style of the stated one. */
  readonly actual: string;
}
