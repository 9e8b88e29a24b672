// The jobs of the analysis for worker threads.

import type { FileAnalysis } from '../ports/catalogue.ts';
import type { Inventory } from '../model.ts';
import type { FunctionExplanation } from './metrics/explain.ts';

/** Pure functions that are too heavy for the request path, by name. */
export interface AnalysisJobs {
  /** Measure and analyse a text that is being typed; what only the checker tells is left out. */
  glance: {
    input: { readonly path: string; readonly text: string };
    output: Pick<FileAnalysis, 'functions' | 'opportunities'>;
  };
  /** Where each point of the complexity of the function at a place (1-based) comes from; null where nothing tells. */
  explain: {
    input: { readonly path: string; readonly text: string; readonly line: number; readonly column: number };
    output: FunctionExplanation | null;
  };
  /** What files consist of, for the comparison of two trees. */
  inventory: {
    input: readonly { readonly path: string; readonly bytes: Uint8Array }[];
    output: readonly Inventory[];
  };
}
