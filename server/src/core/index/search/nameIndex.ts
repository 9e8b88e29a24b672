// Builds an index of the words in paths and of the names of definitions, for the search in a chunk store.

import type { SymbolInfo } from '../../model.ts';
import { extractTerms } from '../terms/terms.ts';
import { normaliseName } from './definitionNames.ts';
import type { FileRecord } from '../../ports/catalogue.ts';

/** The index of some records. */
export interface NameIndex {
  readonly byPath: ReadonlyMap<string, FileRecord>;
  /** Files by the terms in their paths. */
  readonly pathTerms: TermFiles;
  /** The definitions of each plain name. */
  readonly definitions: ReadonlyMap<string, readonly { readonly record: FileRecord; readonly symbol: SymbolInfo }[]>;
}

/** An inverted index of files by terms. */
interface TermFiles {
  /** Number of files. */
  readonly files: number;
  /** By term: the number of its occurrences in each file, by path. */
  readonly counts: ReadonlyMap<string, ReadonlyMap<string, number>>;
  /** By path: the number of terms of the file. */
  readonly lengths: ReadonlyMap<string, number>;
  readonly averageLength: number;
}

/** Parameter of BM25 that limits the effect of repetitions, with its usual value. */
const K1 = 1.2;
/** Parameter of BM25 for the influence of a file's length, with its usual value. */
const B = 0.75;
/** For each chunk store, the last index and the records from which it was made. A session has one store. */
const latestIndexes = new WeakMap<object, { readonly records: readonly FileRecord[]; readonly index: NameIndex }>();

/**
 * The index of these records, which must be the records of `store`. The last one of each store is cached, because
 * records change far less often than queries arrive.
 */
export function getNameIndex(store: object, records: readonly FileRecord[]): NameIndex {
  const previous = latestIndexes.get(store);
  if (
    previous &&
    previous.records.length === records.length &&
    previous.records.every((record, index) => record === records[index])
  )
    return previous.index;
  const index = buildIndex(records);
  latestIndexes.set(store, { records, index });
  return index;
}

/** BM25 score of each file for the terms; files without any of the terms are absent. */
export function scoreFiles(
  { files, counts, lengths, averageLength }: TermFiles,
  terms: readonly string[],
): Map<string, number> {
  const scores = new Map<string, number>();
  for (const term of terms) {
    const termCounts = counts.get(term);
    if (!termCounts) continue;
    const rarity = Math.log(1 + (files - termCounts.size + 0.5) / (termCounts.size + 0.5));
    for (const [path, count] of termCounts) {
      const score = (rarity * count * (K1 + 1)) / (count + K1 * (1 - B + (B * lengths.get(path)!) / averageLength));
      scores.set(path, (scores.get(path) ?? 0) + score);
    }
  }
  return scores;
}

function buildIndex(records: readonly FileRecord[]): NameIndex {
  const definitions = new Map<string, { record: FileRecord; symbol: SymbolInfo }[]>();
  for (const record of records) {
    for (const symbol of record.symbols) {
      const name = normaliseName(symbol.name);
      const places = definitions.get(name);
      if (places) places.push({ record, symbol });
      else definitions.set(name, [{ record, symbol }]);
    }
  }
  return {
    byPath: new Map(records.map((record) => [record.path, record])),
    pathTerms: indexTerms(records, ({ path }) => extractTerms(path.replace(/\.[^./]+$/, ''))),
    definitions,
  };
}

/** Counts the terms of each file. `termsOfFile`: the terms of a file, repeated as often as they occur. */
function indexTerms(records: readonly FileRecord[], termsOfFile: (record: FileRecord) => string[]): TermFiles {
  const counts = new Map<string, Map<string, number>>();
  const lengths = new Map<string, number>();
  let totalLength = 0;
  for (const record of records) {
    const terms = termsOfFile(record);
    lengths.set(record.path, terms.length);
    totalLength += terms.length;
    for (const term of terms) {
      let termCounts = counts.get(term);
      if (!termCounts) counts.set(term, (termCounts = new Map()));
      termCounts.set(record.path, (termCounts.get(record.path) ?? 0) + 1);
    }
  }
  return {
    files: records.length,
    counts,
    lengths,
    averageLength: Math.max(1, totalLength / Math.max(1, records.length)),
  };
}
