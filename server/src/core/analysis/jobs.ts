// The jobs of the analysis for worker threads.

import type { FileAnalysis } from '../ports/catalogue.ts';
import type { Inventory } from '../model.ts';
import type { FileHoles } from './project/holesInFiles.ts';
import type { FunctionExplanation } from './metrics/explain.ts';

/** The jobs by name: pure functions that are too slow for the thread that answers requests. */
export interface AnalysisJobs {
  /** Measures and analyses a text while a person types; rules that need the type checker are skipped. */
  glance: {
    input: { readonly path: string; readonly text: string };
    output: Pick<FileAnalysis, 'functions' | 'opportunities'>;
  };
  /** Explains each point of the complexity of the function at a position (1-based); null if there is no explanation. */
  explain: {
    input: { readonly path: string; readonly text: string; readonly line: number; readonly column: number };
    output: FunctionExplanation | null;
  };
  /** Looks for types that are less precise than the compiler's own, in the files of these paths. */
  typeHoles: {
    input: { readonly rootDir: string; readonly paths: readonly string[] };
    output: readonly FileHoles[];
  };
  /** Lists the contents of files, for the comparison of two trees. */
  inventory: {
    input: readonly { readonly path: string; readonly bytes: Uint8Array }[];
    output: readonly Inventory[];
  };
}
