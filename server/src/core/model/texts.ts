// The types of the analysis of a text in an editor, and of the text with fixes. They are plain data.

import type { FunctionMetrics, Opportunity } from '../model.ts';

/** The figures of the functions in a text, and its opportunities. */
export interface TextAnalysis {
  readonly functions: readonly FunctionMetrics[];
  readonly opportunities: readonly Opportunity[];
}

/** A text after fixes. */
export interface FixedText {
  readonly text: string;
  /** A title for each fix; empty if there was nothing to fix. */
  readonly fixed: readonly string[];
}
