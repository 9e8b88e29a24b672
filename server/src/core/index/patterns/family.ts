// A row of the table of languages without a grammar: how to recognise and delimit their definitions.

import type { SymbolInfo } from '../../model.ts';

/**
 * How a definition ends: at the bracket that closes its first one; before the next line that is indented no deeper
 * (that line included if it closes a block); at a terminator at the end of a line; or on its own line.
 */
export type End = 'braces' | 'parens' | 'indent' | 'terminator' | 'line';

export interface Family {
  readonly extensions: string;
  /** Whole file names in lower case. */
  readonly names?: string;
  readonly end: End;
  readonly terminator?: RegExp;
  /** Definitions whose line looks like the first end with a line like the second. */
  readonly until?: readonly [head: RegExp, last: RegExp];
  /** A comment to the end of the line; what follows it is not read. */
  readonly comment: RegExp;
  /** Each expression begins at the line's start and names its find `name`. */
  readonly rules: readonly (readonly [kind: SymbolInfo['kind'], expression: RegExp])[];
  /** A line of a definition that is not visible from outside. */
  readonly hidden?: RegExp;
  /** Only the lines between these are read. */
  readonly within?: { readonly from: RegExp; readonly to: RegExp };
}
