// The type of a row in the table of languages without a grammar: patterns that recognise and delimit definitions.

import type { SymbolInfo } from '../../model.ts';

/**
 * The rule for the end of a definition. `braces`, `parens`: the bracket that closes its first bracket. `indent`: before
 * the next line that is not indented deeper (that line is included if it closes a block). `terminator`: the first line
 * that matches `terminator`. `line`: the end of its first line.
 */
export type EndRule = 'braces' | 'parens' | 'indent' | 'terminator' | 'line';

/** The forms of definitions in one language. */
export interface LanguagePatterns {
  /** Extensions in lower case without a dot, separated by spaces. */
  readonly extensions: string;
  /** Whole file names in lower case, separated by spaces. */
  readonly names?: string;
  readonly end: EndRule;
  /** Matches the last line of a definition, for the rule `terminator`. */
  readonly terminator?: RegExp;
  /** A definition whose line matches `head` ends with the line that matches `last`. */
  readonly until?: readonly [head: RegExp, last: RegExp];
  /** Matches a comment to the end of the line; the text from there on is ignored. */
  readonly comment: RegExp;
  /** Each expression matches at the start of a line and captures the name in the group `name`. */
  readonly definitions: readonly (readonly [kind: SymbolInfo['kind'], expression: RegExp])[];
  /** Matches the line of a definition that is not visible from outside. */
  readonly hiddenPattern?: RegExp;
  /** If set, only the lines between a line that matches `from` and one that matches `to` are read. */
  readonly within?: { readonly from: RegExp; readonly to: RegExp };
}
