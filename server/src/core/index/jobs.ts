// The jobs of the index for worker threads.

import type { FileRecord, FileAnalysis, FileRelations } from '../ports/catalogue.ts';
import type { Chunk } from '../model.ts';
import type { ConfigText, ParsedConfig } from './graph/config/readConfig.ts';
import type { PackedFile } from './terms/termPacker.ts';
import type { SyntaxProblem } from './parse/dataSyntax.ts';

/** A window of lines that matches the query. Scores are comparable within one scan. */
export interface ScannedWindow {
  readonly path: string;
  readonly startLine: number;
  readonly endLine: number;
  readonly score: number;
}

/** The jobs by name: pure functions that are too slow for the thread that answers requests. */
export interface IndexJobs {
  /** Parses, outlines and chunks files. */
  inspect: {
    input: readonly {
      readonly path: string;
      readonly bytes: Uint8Array;
      readonly size: number;
      readonly mtimeMs: number;
      readonly hash: string;
    }[];
    /** The result. `packed`: the counted terms of the chunks; if absent, the chunks contain their terms as words. */
    output: readonly {
      readonly record: FileRecord;
      readonly chunks: readonly Chunk[];
      readonly packed?: PackedFile | undefined;
    }[];
  };
  /**
   * Searches files that are not indexed yet, as windows of lines. Files that are not text or cannot be read are
   * skipped, and so is everything beyond a limit of bytes.
   */
  scan: {
    input: {
      readonly rootDir: string;
      readonly paths: readonly string[];
      readonly query: string;
      readonly top: number;
    };
    output: readonly ScannedWindow[];
  };
  /** Reads definitions, imports and used names, from which the dependency graph is computed. */
  relate: {
    input: IndexJobs['inspect']['input'];
    output: readonly FileRelations[];
  };
  /**
   * Measures and analyses files. If `only` is set, just the rules with these ids are applied, and nothing is measured.
   */
  analyse: {
    input: readonly (IndexJobs['inspect']['input'][number] & { readonly only?: readonly string[] })[];
    output: readonly FileAnalysis[];
  };
  /**
   * The syntax errors of the text: empty if it parses, null if no parser here reads this kind of file, or if the file
   * cannot be judged, as when it is too large. `earlier`: the text before the edit.
   */
  syntax: {
    input: { readonly path: string; readonly text: string; readonly earlier: string | null };
    output: readonly SyntaxProblem[] | null;
  };
  /** Parses a long configuration file. */
  configure: { input: ConfigText; output: ParsedConfig };
}
