// The reports of an index run and of an analysis.

import type { Notice, SkippedPath } from '../model.ts';

/** The result of indexing a repository. */
export interface IndexReport {
  readonly files: number;
  readonly symbols: number;
  /** Number of chunks of code and documents in the index. */
  readonly chunks: number;
  /** Tokens of the packed semantic memory, at most `budgetTokens`. */
  readonly tokens: number;
  readonly budgetTokens: number;
  /** The part of `budgetTokens` that other layers have lent to semantic memory. */
  readonly borrowedTokens: number;
  readonly embedded: number;
  readonly reused: number;
  readonly skipped: readonly SkippedPath[];
  readonly seconds: number;
  /** Seconds until every file could be searched, at least as plain text on disk. */
  readonly searchableSeconds: number;
  readonly peakRssMb: number;
  /** Hash of the whole indexed tree; null for an empty one. */
  readonly treeHash: string | null;
  readonly store: 'lancedb' | 'lexical';
  readonly embedder: string;
  /** True if another process was writing the index: the report then describes the part that was written so far. */
  readonly otherWrites?: true;
  readonly notices: readonly Notice[];
}

/** The result of analysing a repository. */
export interface AnalysisReport {
  readonly files: number;
  /** Number of files that were analysed; the others had not changed. */
  readonly analysed: number;
  readonly reused: number;
  readonly skipped: readonly SkippedPath[];
  readonly seconds: number;
  readonly peakRssMb: number;
  /** Hash of the whole analysed tree; null for an empty one. */
  readonly treeHash: string | null;
}
