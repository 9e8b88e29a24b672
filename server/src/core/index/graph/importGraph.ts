// Computes which file of the repository imports which. In-degree and PageRank show how many other files depend on a
// file.

import type { ProjectConfig } from './config/projectConfig.ts';
import { createImportResolver, type ImportingRecord } from './importResolver.ts';
import { computePageRank } from './pageRank.ts';
import type { FileRecord } from '../../ports/catalogue.ts';

/** The graph of files that import each other. */
export interface ImportGraph {
  /** For each file, the imported files that are in the repository. */
  readonly edges: ReadonlyMap<string, readonly string[]>;
  /** Number of files that import each file; every file has an entry. */
  readonly inDegree: ReadonlyMap<string, number>;
  /** PageRank of each file; the sum of all is 1. */
  readonly rank: ReadonlyMap<string, number>;
}

type ImportingFile = ImportingRecord & Pick<FileRecord, 'imports'>;

/**
 * The specifiers of the imports of a file, as written. A test of Go belongs to the package in its folder without
 * importing it, so it gets the folder itself.
 */
export function listSpecifiers({ path, imports }: Pick<ImportingFile, 'path' | 'imports'>): readonly string[] {
  return path.endsWith('_test.go') ? [...imports, '.'] : imports;
}

/** Builds the graph. Specifiers that are ambiguous or refer to targets outside of the repository are skipped. */
export function buildImportGraph(records: readonly ImportingFile[], config?: ProjectConfig): ImportGraph {
  const resolve = createImportResolver(records, config);
  const edges = new Map<string, readonly string[]>();
  const inDegree = new Map<string, number>(records.map(({ path }) => [path, 0]));
  for (const record of records) {
    const targets = new Set<string>();
    for (const specifier of listSpecifiers(record))
      for (const target of resolve(record, specifier)) if (target !== record.path) targets.add(target);
    edges.set(record.path, [...targets]);
    for (const target of targets) inDegree.set(target, inDegree.get(target)! + 1);
  }
  const numbers = new Map(records.map(({ path }, index) => [path, index]));
  const rank = computePageRank([...edges.values()].map((targets) => targets.map((target) => numbers.get(target)!)));
  return { edges, inDegree, rank: new Map([...edges.keys()].map((path, index) => [path, rank[index]!])) };
}
