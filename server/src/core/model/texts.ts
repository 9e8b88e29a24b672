// The types of the findings in a text of an editor, and of its fixes. Plain data.

import type { FunctionMetrics, Opportunity } from '../model.ts';

export interface TextAnalysis {
  readonly functions: readonly FunctionMetrics[];
  readonly opportunities: readonly Opportunity[];
}

export interface FixedText {
  readonly text: string;
  /** A title for each fix; empty if there was nothing to fix. */
  readonly fixed: readonly string[];
}
