// Reads coverage-final.json (Istanbul's coverage object: https://github.com/istanbuljs/istanbuljs, docs of
// istanbul-lib-coverage).

import type { CoveredFile } from './coveredFile.ts';
import { isRecord } from '../../../util/values/isRecord.ts';

/** The files of a report; null if the text is not such a report, or names no file. */
export function readIstanbul(text: string): readonly CoveredFile[] | null {
  const report = parseReport(text);
  if (!isRecord(report)) return null;
  const files = Object.entries(report).flatMap(([key, file]) =>
    isRecord(file) && isRecord(file['statementMap']) && isRecord(file['s']) ? [createCoveredFile(key, file)] : [],
  );
  return files.length === 0 ? null : files;
}

/**
 * Converts the coverage of one file. A line ran as often as the most frequent statement that starts in it. `key`: the
 * path, if the entry names none.
 */
function createCoveredFile(key: string, file: Readonly<Record<string, unknown>>): CoveredFile {
  const hits = file['s'] as Readonly<Record<string, unknown>>;
  const lines = new Map<number, number>();
  for (const [id, place] of Object.entries(file['statementMap'] as Readonly<Record<string, unknown>>)) {
    const line = findStartLine(place);
    const count = hits[id];
    if (line !== null && typeof count === 'number') lines.set(line, Math.max(lines.get(line) ?? 0, count));
  }
  const functions = Object.values(isRecord(file['fnMap']) ? file['fnMap'] : {}).flatMap((entry) => {
    if (!isRecord(entry) || typeof entry['name'] !== 'string') return [];
    const line = findStartLine(entry['decl']) ?? findStartLine(entry['loc']);
    return line === null ? [] : [{ name: entry['name'], line }];
  });
  return { path: typeof file['path'] === 'string' ? file['path'] : key, lines, functions };
}

/** The 1-based line at which a place starts; null if the place is malformed. */
function findStartLine(place: unknown): number | null {
  const start = isRecord(place) ? place['start'] : null;
  const line = isRecord(start) ? start['line'] : null;
  return typeof line === 'number' && Number.isSafeInteger(line) && line >= 1 ? line : null;
}

function parseReport(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    // A report that is incomplete or still being written is ignored.
    return null;
  }
}
