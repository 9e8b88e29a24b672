// The jobs of the index for worker threads.

import type { FileRecord, FileAnalysis, FileRelations } from '../ports/catalogue.ts';
import type { Chunk } from '../model.ts';
import type { ConfigText, Parsed } from './graph/config/readConfig.ts';
import type { PackedFile } from './terms/termPacker.ts';
import type { SyntaxProblem } from './parse/dataSyntax.ts';

/** A window of lines that might answer the question. Scores of one scan are comparable. */
export interface ScannedWindow {
  readonly path: string;
  readonly startLine: number;
  readonly endLine: number;
  readonly score: number;
}

/** Pure functions that are too heavy for the request path, by name. */
export interface IndexJobs {
  /** Parse, outline, chunk. */
  inspect: {
    input: readonly {
      readonly path: string;
      readonly bytes: Uint8Array;
      readonly size: number;
      readonly mtimeMs: number;
      readonly hash: string;
    }[];
    /** `packed`: the terms of the chunks, counted; absent = they are spelled in the chunks, to be counted. */
    output: readonly {
      readonly record: FileRecord;
      readonly chunks: readonly Chunk[];
      readonly packed?: PackedFile | undefined;
    }[];
  };
  /**
   * Look for an answer in files that are not indexed yet, as windows of lines; files that are not text or cannot be
   * read are left out, and what is beyond a bound of bytes.
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
  /** Find what names refer to. */
  relate: {
    input: IndexJobs['inspect']['input'];
    output: readonly FileRelations[];
  };
  /**
   * Measure and analyse. `only`: rules that somebody asked for alone; figures and measures are left out with the rest.
   */
  analyse: {
    input: readonly (IndexJobs['inspect']['input'][number] & { readonly only?: readonly string[] })[];
    output: readonly FileAnalysis[];
  };
  /**
   * What does not parse; empty when all does, null where nothing reads its kind. `earlier`: what an edit of the file
   * starts from.
   */
  syntax: {
    input: { readonly path: string; readonly text: string; readonly earlier: string | null };
    output: readonly SyntaxProblem[] | null;
  };
  /** Read a long file of configuration. */
  configure: { input: ConfigText; output: Parsed };
}
