// Which file of the repository imports which: in-degree and PageRank say what everything else leans on.

import type { FileRecord } from '../../indexPorts.ts';
import { createImportResolver } from './importResolver.ts';

export interface ImportGraph {
  /** Files that each file imports, where they are in the repository. */
  readonly edges: ReadonlyMap<string, readonly string[]>;
  /** Number of files that import each file; every file has an entry. */
  readonly inDegree: ReadonlyMap<string, number>;
  /** PageRank; sums to 1. */
  readonly rank: ReadonlyMap<string, number>;
}

type Imported = Pick<FileRecord, 'path' | 'language' | 'imports'>;

const DAMPING = 0.85;
const ROUNDS = 20;

/** Specifiers that lead out of the repository or that cannot be told apart are left out. */
export function importGraph(records: readonly Imported[]): ImportGraph {
  const resolve = createImportResolver(records.map(({ path }) => path));
  const edges = new Map<string, readonly string[]>();
  const inDegree = new Map<string, number>(records.map(({ path }) => [path, 0]));
  for (const record of records) {
    const targets = new Set<string>();
    for (const specifier of record.imports) for (const target of resolve(record, specifier)) if (target !== record.path) targets.add(target);
    edges.set(record.path, [...targets]);
    for (const target of targets) inDegree.set(target, inDegree.get(target)! + 1);
  }
  return { edges, inDegree, rank: pageRank(edges) };
}

function pageRank(edges: ReadonlyMap<string, readonly string[]>): Map<string, number> {
  const count = edges.size;
  let rank = new Map([...edges.keys()].map((path) => [path, 1 / count]));
  for (let round = 0; round < ROUNDS && count > 0; round++) {
    const next = new Map([...edges.keys()].map((path) => [path, (1 - DAMPING) / count]));
    let loose = 0;
    for (const [path, targets] of edges) {
      if (targets.length === 0) loose += rank.get(path)!;
      for (const target of targets) next.set(target, next.get(target)! + (DAMPING * rank.get(path)!) / targets.length);
    }
    for (const [path, value] of next) next.set(path, value + (DAMPING * loose) / count);
    rank = next;
  }
  return rank;
}
