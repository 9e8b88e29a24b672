// Reads the coverage that V8 has left in a folder (https://nodejs.org/api/cli.html#node_v8_coveragedir), as counts by
// line of the repository's own files.

import { readdirSync, readFileSync } from 'node:fs';
import { join, relative, sep } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { LinesReport } from '../../../core/verify/coverage/lineReport.ts';
import { countHits, measureScript, type V8Functions } from './hitCounts.ts';
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
  const files = new Map<string, Map<number, number>>();
  const unclear = new Set<string>();
  const sources = new Map<string, Source | null>();
  const getSource = (path: string): Source | null => {
    if (!sources.has(path)) sources.set(path, readSource(root, path));
    return sources.get(path) ?? null;
  };
  const names = readdirSync(folder).filter((name) => name.endsWith('.json'));
  for (const name of names)
    for (const { path, statements, hits } of findScripts(join(folder, name), root, getSource)) {
      if (hits === null) unclear.add(path);
      else addCounts(files, path, statements, hits);
    }
  return {
    processes: names.length,
    files: Object.fromEntries([...files].map(([path, lines]) => [path, [...lines].sort((a, b) => a[0] - b[0])])),
    unclear: [...unclear].filter((path) => !files.has(path)),
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
function* findScripts(file: string, root: string, sourceOf: (path: string) => Source | null): Generator<CountedFile> {
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
      const isAsWritten = isSameCode(measureScript(functions), source.text, url);
      yield {
        path,
        statements,
        hits: isAsWritten
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
    const sorted = [...new Set(offsets.filter((offset) => offset !== null))].sort((a, b) => a - b);
    if (sorted.length === 0) return statements.length === 0 ? [] : null;
    const hits = countHits(sorted, functions);
    const hitsByOffset = new Map(sorted.map((offset, index) => [offset, hits[index]!]));
    return offsets.map((offset) => (offset === null ? null : hitsByOffset.get(offset)!));
  } catch {
    // The source map is broken.
    return null;
  }
}

/**
 * Adds the counts of one process to `files`: by path, the count of each line (from 1). In one process, a line ran as
 * often as the most frequent statement that starts in it.
 */
function addCounts(
  files: Map<string, Map<number, number>>,
  path: string,
  statements: readonly StatementPlace[],
  hits: readonly (number | null)[],
): void {
  const counts = new Map<number, number>();
  for (const [index, { line }] of statements.entries()) {
    const count = hits[index] ?? null;
    if (count !== null) counts.set(line + 1, Math.max(counts.get(line + 1) ?? 0, count));
  }
  const total = files.get(path) ?? new Map<number, number>();
  for (const [line, count] of counts) total.set(line, (total.get(line) ?? 0) + count);
  files.set(path, total);
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
  const [plain = ''] = url.split('?');
  let place = plain;
  try {
    if (plain.startsWith('file:')) place = fileURLToPath(plain);
  } catch {
    return null;
  }
  if (!place.startsWith(`${root}${sep}`)) return null;
  const path = relative(root, place).split(sep).join('/');
  return path.split('/').includes('node_modules') ? null : path;
}
