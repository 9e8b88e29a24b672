// Reads the coverage that V8 has left in a folder (https://nodejs.org/api/cli.html#node_v8_coveragedir), as counts by
// line of the repository's own files.

import { readdirSync, readFileSync } from 'node:fs';
import { join, relative, sep } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { LinesReport } from '../../../core/verify/coverage/lineReport.ts';
import { countHits, measureScriptLength, type V8Functions } from './hitCounts.ts';
import { mapToCompiledOffsets, type CachedMap } from './sourceMaps.ts';
import { findStatements, type StatementPlace } from './statements.ts';

/** The report of one process. */
interface V8Report {
  readonly result?: readonly { readonly url: string; readonly functions: V8Functions }[];
  readonly 'source-map-cache'?: Readonly<Record<string, CachedMap>>;
}

/** A source file of the repository. */
interface Source {
  readonly text: string;
  readonly statements: readonly StatementPlace[];
}

/**
 * Reads all reports in `folder`, and sums up how often each line ran. Skips scripts outside of the repository and in
 * packages, and files that cannot be read. `root`: absolute path of the repository, without a final slash.
 */
export function readLineReports(folder: string, root: string): LinesReport {
  const countsByPath = new Map<string, Map<number, number>>();
  const unclearPaths = new Set<string>();
  const sourceByPath = new Map<string, Source | null>();
  const getSource = (path: string): Source | null => {
    if (!sourceByPath.has(path)) sourceByPath.set(path, readSource(root, path));
    return sourceByPath.get(path) ?? null;
  };
  const names = readdirSync(folder).filter((name) => name.endsWith('.json'));
  for (const name of names)
    for (const { path, statements, hits } of readCounts(join(folder, name), root, getSource)) {
      if (hits === null) unclearPaths.add(path);
      else addCounts(countsByPath, path, statements, hits);
    }
  return {
    processes: names.length,
    files: Object.fromEntries([...countsByPath].map(([path, lines]) => [path, [...lines].sort((a, b) => a[0] - b[0])])),
    unclear: [...unclearPaths].filter((path) => !countsByPath.has(path)),
  };
}

/** The counts of one source file in one process. */
interface CountedFile {
  readonly path: string;
  readonly statements: readonly StatementPlace[];
  /**
   * Number of times that each statement ran; null for one without code. Null instead of the list if the executed code
   * cannot be related to this text.
   */
  readonly hits: readonly (number | null)[] | null;
}

/** The counts of each file in one report. `file`: the report. */
function* readCounts(file: string, root: string, sourceOf: (path: string) => Source | null): Generator<CountedFile> {
  const report = parseReport(file);
  for (const { url, functions } of report?.result ?? []) {
    const path = findPathBelow(root, url);
    if (path === null) continue;
    const cached = report?.['source-map-cache']?.[url];
    if (cached?.data) yield* mapFiles(path, cached, functions, root, sourceOf);
    else {
      const source = sourceOf(path);
      if (!source) continue;
      const { statements } = source;
      const ranUnchanged = isSameCode(measureScriptLength(functions), source.text, url);
      yield {
        path,
        statements,
        hits: ranUnchanged
          ? countHits(
              statements.map(({ offset }) => offset),
              functions,
            )
          : null,
      };
    }
  }
}

/** The counts of the source files from which a script was compiled, by its source map. */
function* mapFiles(
  path: string,
  map: CachedMap,
  functions: V8Functions,
  root: string,
  sourceOf: (path: string) => Source | null,
): Generator<CountedFile> {
  const names = map.data?.sources ?? [];
  for (const [index, name] of names.entries()) {
    const sourcePath = findPathBelow(root, name) ?? (names.length === 1 && sourceOf(path) ? path : null);
    const source = sourcePath === null ? null : sourceOf(sourcePath);
    if (sourcePath === null || source === null) continue;
    const { statements } = source;
    yield { path: sourcePath, statements, hits: mapHits(statements, map, index, functions) };
  }
}

/** Number of times that each statement of a source ran (`CountedFile.hits`), according to the source map. */
function mapHits(
  statements: readonly StatementPlace[],
  map: CachedMap,
  index: number,
  functions: V8Functions,
): CountedFile['hits'] {
  try {
    const offsets = mapToCompiledOffsets(statements, map, index);
    const sortedOffsets = [...new Set(offsets.filter((offset) => offset !== null))].sort((a, b) => a - b);
    if (sortedOffsets.length === 0) return statements.length === 0 ? [] : null;
    const hits = countHits(sortedOffsets, functions);
    const hitsByOffset = new Map(sortedOffsets.map((offset, index) => [offset, hits[index]!]));
    return offsets.map((offset) => (offset === null ? null : hitsByOffset.get(offset)!));
  } catch {
    // The source map is broken.
    return null;
  }
}

/**
 * Adds the counts of one process to `countsByPath`: by path, the count of each line (from 1). In one process, a line ran as
 * often as the most frequent statement that starts in it.
 */
function addCounts(
  countsByPath: Map<string, Map<number, number>>,
  path: string,
  statements: readonly StatementPlace[],
  hits: readonly (number | null)[],
): void {
  const counts = new Map<number, number>();
  for (const [index, { line }] of statements.entries()) {
    const count = hits[index] ?? null;
    if (count !== null) counts.set(line + 1, Math.max(counts.get(line + 1) ?? 0, count));
  }
  const countByLine = countsByPath.get(path) ?? new Map<number, number>();
  for (const [line, count] of counts) countByLine.set(line, (countByLine.get(line) ?? 0) + count);
  countsByPath.set(path, countByLine);
}

/**
 * True if the executed code is as long as the text itself, with or without the line that Node adds after it has
 * replaced types by spaces. Offsets in the text are then valid in the code.
 */
function isSameCode(length: number, text: string, url: string): boolean {
  return length === text.length || length === text.length + `\n\n//# sourceURL=${url}`.length;
}

function readSource(root: string, path: string): Source | null {
  try {
    const text = readFileSync(join(root, path), 'utf8');
    return /\.[cm]?[jt]sx?$/.test(path) ? { text, statements: findStatements(path, text) } : null;
  } catch {
    return null;
  }
}

/** The report in a file; null if it does not parse, because a process that was killed leaves an incomplete file. */
function parseReport(file: string): V8Report | null {
  try {
    return JSON.parse(readFileSync(file, 'utf8')) as V8Report;
  } catch {
    return null;
  }
}

/** The path below the root; null for code of Node, of an installed package, or from elsewhere. */
function findPathBelow(root: string, url: string): string | null {
  const [urlWithoutQuery = ''] = url.split('?');
  let filePath = urlWithoutQuery;
  try {
    if (urlWithoutQuery.startsWith('file:')) filePath = fileURLToPath(urlWithoutQuery);
  } catch {
    return null;
  }
  if (!filePath.startsWith(`${root}${sep}`)) return null;
  const path = relative(root, filePath).split(sep).join('/');
  return path.split('/').includes('node_modules') ? null : path;
}
