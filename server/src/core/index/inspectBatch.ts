// Inspects a batch of files for the index. A file whose parsing crashes or hangs is indexed as windows of lines.

import { runBatchJob } from './batchJob.ts';
import { decodeSource } from './parse/decode.ts';
import { looksGenerated } from '../paths/generated.ts';
import type { IndexedFileResult, LoadedFile } from './inspect.ts';
import { createRecord, createUnreadableRecord } from './record.ts';
import type { Log } from '../ports/system.ts';
import type { IndexJobs } from './jobs.ts';
import type { JobRunner } from '../ports/jobs.ts';

/** Inspects the files. Never rejects because of a file's content. Throws the same errors as `runBatchJob`. */
export function inspectBatch(
  context: { readonly jobs: JobRunner<IndexJobs>; readonly log: Log },
  files: readonly LoadedFile[],
  signal: AbortSignal,
): Promise<readonly IndexedFileResult[]> {
  return runBatchJob(context, 'inspect', files, inspectAsLines, signal);
}

/** The file as windows of lines, which need no parser. The language is null, so that no caller expects an outline. */
function inspectAsLines(file: LoadedFile, problem: 'parse failed' | 'analysis timed out'): IndexedFileResult {
  const decoded = decodeSource(file.bytes);
  if ('reason' in decoded) return { record: createUnreadableRecord(file, decoded.reason), chunks: [] };
  return createRecord(file, {
    text: decoded.text,
    language: null,
    symbols: [],
    imports: [],
    generated: looksGenerated(file.path, decoded.text),
    trouble: problem,
  });
}
