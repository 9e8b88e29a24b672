// Keeps the dependency graph of the repository: which files and definitions use which. The graph is kept in memory,
// and a change recomputes the edges that it may affect.

import { NO_CONFIG, type ProjectConfig } from './config/projectConfig.ts';
import { createImportResolver } from './importResolver.ts';
import { createFileEdges, type FileEdges } from './symbolEdges.ts';
import { createSymbolTable, type GraphRecord } from './symbolTable.ts';

/** Languages whose imports name declarations instead of files. */
const DECLARES_MODULES = new Set<string | null>([
  'java',
  'kotlin',
  'scala',
  'csharp',
  'elixir',
  'haskell',
  'php',
  'ruby',
]);

/** The graph, which is updated in place. */
export interface DependencyGraph {
  readonly records: ReadonlyMap<string, GraphRecord>;
  /** The edges that begin in each file, by path. */
  readonly edges: ReadonlyMap<string, FileEdges>;
  /** Increases with every change. */
  readonly version: number;
  /** Adds changed and new records, drops the removed ones, and returns the files whose edges were recomputed. */
  update(changedRecords: readonly GraphRecord[], removed: readonly string[]): readonly string[];
}

/** Creates the graph of these records. */
export function createDependencyGraph(
  initial: readonly GraphRecord[],
  config: ProjectConfig = NO_CONFIG,
): DependencyGraph {
  const sortedRecords = [...initial].sort(comparePaths);
  const records = new Map(sortedRecords.map((record) => [record.path, record]));
  const edges = new Map<string, FileEdges>();
  const table = createSymbolTable(records, createImportResolver(sortedRecords, config));
  let version = 0;
  for (const record of sortedRecords) edges.set(record.path, createFileEdges(record, table));

  return {
    records,
    edges,
    get version() {
      return version;
    },
    update(changedRecords, removed) {
      const removedPaths = removed.filter((path) => records.has(path));
      if (changedRecords.length === 0 && removedPaths.length === 0) return [];
      version++;
      const changedPaths = new Set([...changedRecords.map(({ path }) => path), ...removedPaths]);
      const changedNames = new Set<string>();
      let haveFilesChanged = removedPaths.length > 0;
      for (const record of changedRecords) {
        const earlierRecord = records.get(record.path);
        haveFilesChanged ||= !earlierRecord || earlierRecord.language !== record.language;
        records.set(record.path, record);
        for (const name of table.replaceRecord(record.path, record)) changedNames.add(name);
      }
      for (const path of removedPaths) {
        records.delete(path);
        edges.delete(path);
        for (const name of table.replaceRecord(path, null)) changedNames.add(name);
      }
      const affectedPaths = new Set<string>(changedRecords.map(({ path }) => path));
      // If files or definitions appear or disappear, a specifier may resolve to another file.
      if (haveFilesChanged || changedNames.size > 0) {
        const resolve = createImportResolver([...records.values()].sort(comparePaths), config);
        if (haveFilesChanged || [...records.values()].some(({ language }) => DECLARES_MODULES.has(language))) {
          // A file that follows re-exports of such a file may find another definition.
          for (const record of records.values()) {
            if (affectedPaths.has(record.path) || !resolvesDifferently(record, table.resolve, resolve)) continue;
            affectedPaths.add(record.path);
            changedPaths.add(record.path);
          }
        }
        table.resolve = resolve;
      }
      for (const [path, { trace }] of edges) {
        if (affectedPaths.has(path)) continue;
        if (intersects(trace.files, changedPaths) || intersects(trace.names, changedNames)) affectedPaths.add(path);
      }
      for (const path of affectedPaths) edges.set(path, createFileEdges(records.get(path)!, table));
      return [...affectedPaths];
    },
  };
}

/** True if a specifier in the file resolves to other files with `after` than with `before`. */
function resolvesDifferently(
  record: GraphRecord,
  before: ReturnType<typeof createImportResolver>,
  after: ReturnType<typeof createImportResolver>,
): boolean {
  const specifiers = new Set([
    ...record.imports,
    ...(record.references?.bindings ?? []).flatMap(([from, name]) =>
      record.language === 'python' ? [from, from.endsWith('.') ? from + name : `${from}.${name}`] : [from],
    ),
    ...(record.references?.exports ?? []).map(([from]) => from),
  ]);
  for (const specifier of specifiers)
    if (before(record, specifier).join('\0') !== after(record, specifier).join('\0')) return true;
  return false;
}

/** If several files match a specifier, their order decides, so records are sorted by path. */
function comparePaths(a: GraphRecord, b: GraphRecord): number {
  return a.path < b.path ? -1 : 1;
}

function intersects(set: ReadonlySet<string>, otherSet: ReadonlySet<string>): boolean {
  const [smaller, larger] = set.size < otherSet.size ? [set, otherSet] : [otherSet, set];
  for (const item of smaller) if (larger.has(item)) return true;
  return false;
}
