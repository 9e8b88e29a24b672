// Type of the façade's section `texts`.

import type { FunctionExplanation } from '../../analysis/metrics/explain.ts';
import type { FixedText, TextAnalysis } from '../../model/texts.ts';

/** Section `texts`: a single text in an editor, saved or not. */
export interface Texts {
  /** Analyses an unsaved text. */
  analyse(path: string, text: string, signal: AbortSignal): Promise<TextAnalysis>;
  /**
   * Analyses a text while a person types. This takes milliseconds, and skips the rules that need the type checker
   * (`CHECKED_RULES`).
   */
  analyseWhileTyping(path: string, text: string, signal: AbortSignal): Promise<TextAnalysis>;
  /**
   * Explains each point of complexity of the function at a position (1-based) of an unsaved text. Null if there is no
   * explanation.
   */
  explain(
    path: string,
    text: string,
    position: { readonly line: number; readonly column: number },
    signal: AbortSignal,
  ): Promise<FunctionExplanation | null>;
  /**
   * Applies all fixes of recipes that are safe within a single text. Returns the text and writes nothing. Throws
   * `untrusted`, `forbidden` for a protected file, and `illegalStep` while Selfware is stopped.
   */
  fix(path: string, text: string, signal: AbortSignal): Promise<FixedText>;
}
