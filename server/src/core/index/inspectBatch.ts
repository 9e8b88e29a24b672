// Inspects a batch of files and keeps one bad file from spoiling the others.

import { SelfwareError } from '../../util/typedError.ts';
import type { Jobs } from '../indexPorts.ts';
import type { Log } from '../ports.ts';
import { decodeSource } from './decode.ts';
import { looksGenerated } from './generated.ts';
import type { Inspected, ReadFile } from './inspect.ts';
import { recordOf, recordOfUnreadable } from './record.ts';

/** Never rejects for what a file holds. Throws `cancelled`, and what no file can be blamed for, such as missing grammars. */
export async function inspectBatch(context: { readonly jobs: Jobs; readonly log: Log }, files: readonly ReadFile[], signal: AbortSignal): Promise<readonly Inspected[]> {
  if (files.length === 0) return [];
  try {
    return await context.jobs.run('inspect', files, signal);
  } catch (error) {
    if (signal.aborted || !blamesFile(error)) throw error;
    const [only] = files;
    if (files.length === 1 && only) {
      context.log.write('warn', `${only.path} could not be analysed; it is searched as plain text.`, error);
      return [withoutAnalysis(only, error)];
    }
    const output: Inspected[] = [];
    for (const part of parts(files, error)) output.push(...(await inspectBatch(context, part, signal)));
    return output;
  }
}

/** A crash shows at once, so halves find it in the fewest tries; a hang costs its whole time in each part that holds it, so it is met but once more. */
function parts(files: readonly ReadFile[], error: unknown): readonly (readonly ReadFile[])[] {
  if (error instanceof SelfwareError && error.reason === 'timedOut') return files.map((file) => [file]);
  const middle = files.length >> 1;
  return [files.slice(0, middle), files.slice(middle)];
}

/** Crashes and endless loops may come from one file; anything else would hit every file alike. */
function blamesFile(error: unknown): boolean {
  return !(error instanceof SelfwareError) || error.reason === 'internal' || error.reason === 'timedOut';
}

/** Line windows need no parser. The language stays unknown, so nobody takes the file for measured. */
function withoutAnalysis(file: ReadFile, error: unknown): Inspected {
  const decoded = decodeSource(file.bytes);
  if ('reason' in decoded) return { record: recordOfUnreadable(file, decoded.reason), chunks: [] };
  const trouble = error instanceof SelfwareError && error.reason === 'timedOut' ? 'analysis timed out' : 'parse failed';
  return recordOf(file, { text: decoded.text, language: null, symbols: [], imports: [], generated: looksGenerated(file.path, decoded.text), trouble });
}
