// The data for ranking: chunks, names, history and vectors of a repository, updated file by file.

import { extractTerms } from '../terms/terms.ts';
import { createCommitIndex, type CommitIndex } from './commitIndex.ts';
import { createBatchNumbers, type BatchNumbers } from './batchNumbers.ts';
import { extractFileNameTerms } from './fileName.ts';
import { createNearVectors, type NearVectors } from './nearVectors.ts';
import { normaliseName } from './definitionNames.ts';
import { computePenalties, computeTypesFactor, clearGeneratedBit } from './penalties.ts';
import { createPostings, countOccurrences, packTerms, renumberTerms, type Postings } from './postings.ts';
import type { RepositorySignals, SearchedFile } from './searcher.ts';
import { createTermLists, type TermLists } from './termLists.ts';
import { createTextVectors, type TextVectors } from './textVector.ts';
import { createVocabulary, type Vocabulary } from './vocabulary.ts';
import type { FileRecord } from '../../ports/catalogue.ts';
import type { TermTable } from '../../ports/search.ts';

/** A file in the index. */
export interface IndexedFile {
  readonly slot: number;
  readonly record: FileRecord;
  /** The first slot of its chunks. */
  readonly firstChunk: number;
  readonly chunkCount: number;
  /** The search terms in its name (`extractFileNameTerms`), computed at the first use. */
  readonly nameTerms: readonly string[];
  /** Bits of the penalties that apply to it (`computePenalties`). */
  penalties: number;
  /** Factor for its scores, below 1 if it has type declarations (`computeTypesFactor`). */
  readonly typesFactor: number;
  /** The recent work on the file, as a sum over its commits; 0 if unknown. */
  activity: number;
  /** Number of terms in all its chunks, computed at the first use, when the chunks have been added. */
  readonly termCount: number;
}

/** A chunk in the index. */
export interface IndexedChunk {
  readonly file: IndexedFile;
  /** Index in `file.record.chunks`. */
  readonly position: number;
}

/** The inverted index of one kind of documents, and the terms of each document. */
export interface IndexedDocuments {
  readonly postings: Postings;
  readonly terms: TermLists;
}

/** Vectors of chunks, and the computation of such vectors from terms. */
interface VectorSpace {
  readonly nearVectors: NearVectors;
  readonly text: TextVectors;
}

/**
 * Files and chunks have slots: numbers that are used once. The slot of a removed one contains null until the index is
 * compacted.
 */
export interface RankingIndex {
  readonly vocabulary: Vocabulary;
  readonly batches: BatchNumbers;
  /** By slot of a chunk: its terms. */
  lexical: IndexedDocuments;
  /** By slot of a chunk: the names that are defined in it, as `normaliseName` returns them. */
  names: IndexedDocuments;
  /** By slot of a file: the terms of its path. */
  paths: IndexedDocuments;
  readonly chunks: (IndexedChunk | null)[];
  readonly files: (IndexedFile | null)[];
  /** By slot of a chunk: the slot of its file; -1 if removed. */
  fileOf: Int32Array;
  /** By slot of a file: its `penalties`. */
  penaltiesOf: Int32Array;
  readonly byPath: Map<string, IndexedFile>;
  /** Vectors from the shipped term table, by slot of a chunk; null if there is no such table. */
  readonly shipped: VectorSpace | null;
  /** Vectors of the configured embedder, by slot of a chunk; null until the first vector is added. */
  dense: NearVectors | null;
  chunkCount: number;
  /** The data that was last passed to `setSignals`. */
  currentSignals: RepositorySignals & { readonly ownVendors: readonly string[] };
  /** The commit index of `described.commits`. */
  commits: CommitIndex;
}

/** Creates an empty index. `table`: the shipped term vectors; null to rank without them. */
export function createRankingIndex(table: TermTable | null, vocabulary: Vocabulary = createVocabulary()): RankingIndex {
  return {
    vocabulary,
    batches: createBatchNumbers(vocabulary),
    lexical: createDocuments(),
    names: createDocuments(),
    paths: createDocuments(),
    chunks: [],
    files: [],
    fileOf: new Int32Array(1024),
    penaltiesOf: new Int32Array(1024),
    byPath: new Map(),
    shipped: table && { nearVectors: createNearVectors(table.dimensions), text: createTextVectors(table, vocabulary) },
    dense: null,
    chunkCount: 0,
    currentSignals: { commits: [], activity: new Map(), ownVendors: [] },
    commits: createCommitIndex([]),
  };
}

/** Adds a file that is not in the index yet. */
export function addFile(index: RankingIndex, { record, chunks, packed, provisional = false }: SearchedFile): void {
  const pack = (terms: readonly string[]): Uint32Array => packTerms(terms.map((term) => index.vocabulary.number(term)));
  const namesByChunk = groupNamesByChunk(record);
  const pathTerms = pack(extractTerms(record.path.replace(/\.[^./]+$/, '')));
  const chunkCount = record.chunks.length;
  const file = placeFile(index, record, {
    chunkCount,
    penalties: computePenalties(record),
    typesFactor: computeTypesFactor(record),
  });
  addDocument(index.paths, file.slot, pathTerms, countOccurrences(pathTerms));
  for (let position = 0; position < chunkCount; position++) {
    const { terms, length } = packed
      ? index.batches.termsOf(packed.batch, packed.first + position)
      : packSpelledTerms(chunks[position]!.terms, pack);
    const names = namesByChunk[position] ?? [];
    const slot = addChunk(index, file, position);
    const plainNames = pack(names.map(normaliseName));
    addDocument(index.lexical, slot, terms, length);
    addDocument(index.names, slot, plainNames, countOccurrences(plainNames));
    const vector = chunks[position]?.vector;
    if (vector) {
      if (index.dense?.dimensions !== vector.length) index.dense = createNearVectors(vector.length);
      index.dense.set(slot, vector);
    }
    index.shipped?.nearVectors.set(
      slot,
      provisional ? null : (chunks[position]?.shipped ?? index.shipped.text.ofPacked(terms)),
    );
  }
}

function packSpelledTerms(
  spelled: string,
  pack: (terms: readonly string[]) => Uint32Array,
): { readonly terms: Uint32Array; readonly length: number } {
  const terms = spelled.split(' ').filter((term) => term !== '');
  return { terms: pack(terms), length: terms.length };
}

/** Removes a file. Does nothing if there is no such file. */
export function removeFile(index: RankingIndex, path: string): void {
  const file = index.byPath.get(path);
  if (!file) return;
  index.byPath.delete(path);
  index.files[file.slot] = null;
  removeDocument(index.paths, file.slot);
  for (let slot = file.firstChunk; slot < file.firstChunk + file.chunkCount; slot++) {
    for (const documents of [index.lexical, index.names]) removeDocument(documents, slot);
    index.shipped?.nearVectors.set(slot, null);
    index.dense?.set(slot, null);
    index.chunks[slot] = null;
    index.fileOf[slot] = -1;
    index.chunkCount--;
  }
}

/** Replaces the data about files that does not come from their content: commits, recent work, own vendor folders. */
export function setSignals(index: RankingIndex, signals: RepositorySignals): void {
  const described = { ...signals, ownVendors: signals.ownVendors ?? index.currentSignals.ownVendors };
  if (described.commits !== index.currentSignals.commits) index.commits = createCommitIndex(described.commits);
  index.currentSignals = described;
  for (const file of index.byPath.values()) {
    const isOwnVendor = described.ownVendors.some((folder) => file.record.path.startsWith(`${folder}/`));
    if (isOwnVendor) index.penaltiesOf[file.slot] = file.penalties = clearGeneratedBit(file.penalties);
    file.activity = described.activity.get(file.record.path) ?? 0;
  }
}

/** A copy of the index without removed entries. */
export function compactIndex(old: RankingIndex, table: TermTable | null): RankingIndex {
  const index = createRankingIndex(table);
  index.currentSignals = old.currentSignals;
  index.commits = old.commits;
  if (old.dense) index.dense = createNearVectors(old.dense.dimensions);
  const numbers = new Int32Array(old.vocabulary.size()).fill(-1);
  const translate = (terms: Uint32Array): Uint32Array =>
    renumberTerms(terms, (number) =>
      numbers[number]! >= 0
        ? numbers[number]!
        : (numbers[number] = index.vocabulary.number(old.vocabulary.term(number))),
    );
  for (const oldFile of old.byPath.values()) {
    const file = placeFile(index, oldFile.record, oldFile);
    copyDocument(old.paths, oldFile.slot, index.paths, file.slot, translate);
    for (let position = 0; position < oldFile.chunkCount; position++) {
      const from = oldFile.firstChunk + position;
      const slot = addChunk(index, file, position);
      for (const kind of ['lexical', 'names'] as const) copyDocument(old[kind], from, index[kind], slot, translate);
      if (old.shipped) index.shipped?.nearVectors.copy(old.shipped.nearVectors, from, slot);
      if (old.dense) index.dense?.copy(old.dense, from, slot);
    }
  }
  return index;
}

/** Properties of a file that are copied or stored, because computing them from the record is slower. */
export type KnownFile = Pick<IndexedFile, 'chunkCount' | 'penalties' | 'typesFactor'>;

/** Adds a file whose chunks have to follow by `addChunk`, each once and in order. */
export function placeFile(
  index: RankingIndex,
  record: FileRecord,
  { chunkCount, penalties, typesFactor }: KnownFile,
): IndexedFile {
  const { activity } = index.currentSignals;
  let name: readonly string[] | null = null;
  let length: number | null = null;
  const file: IndexedFile = {
    slot: index.files.length,
    record,
    firstChunk: index.chunks.length,
    chunkCount,
    get nameTerms() {
      return (name ??= extractFileNameTerms(record.path));
    },
    penalties,
    typesFactor,
    activity: activity.get(record.path) ?? 0,
    get termCount() {
      return (length ??= Array.from({ length: chunkCount }).reduce<number>(
        (sum, _, position) => sum + index.lexical.postings.lengthOf(file.firstChunk + position),
        0,
      ));
    },
  };
  index.files.push(file);
  if (file.slot >= index.penaltiesOf.length) index.penaltiesOf = enlarge(index.penaltiesOf);
  index.penaltiesOf[file.slot] = penalties;
  index.byPath.set(record.path, file);
  return file;
}

/** Adds the next chunk of a file and returns its slot. `position`: the index of the chunk in the file. */
export function addChunk(index: RankingIndex, file: IndexedFile, position: number): number {
  const slot = index.chunks.length;
  index.chunks.push({ file, position });
  if (slot >= index.fileOf.length) index.fileOf = enlarge(index.fileOf);
  index.fileOf[slot] = file.slot;
  index.chunkCount++;
  return slot;
}

function createDocuments(): IndexedDocuments {
  const postings = createPostings();
  return { postings, terms: createTermLists() };
}

function addDocument({ postings, terms }: IndexedDocuments, slot: number, packed: Uint32Array, length: number): void {
  postings.add(slot, packed, length);
  terms.add(slot, packed);
}

function removeDocument({ postings, terms }: IndexedDocuments, slot: number): void {
  postings.remove(slot, terms.termsOf(slot));
}

function copyDocument(
  from: IndexedDocuments,
  slot: number,
  to: IndexedDocuments,
  number: number,
  translate: (terms: Uint32Array) => Uint32Array,
): void {
  addDocument(to, number, translate(from.terms.termsOf(slot)), from.postings.lengthOf(slot));
}

/** The names of the definitions that begin in each chunk. */
function groupNamesByChunk({ chunks, symbols }: FileRecord): string[][] {
  const names: string[][] = chunks.map(() => []);
  for (const { name, nameRange } of symbols) {
    // The first chunk that ends there or later; both lists are sorted.
    let [low, high] = [0, chunks.length];
    while (low < high) {
      const middle = (low + high) >>> 1;
      if (chunks[middle]!.endLine < nameRange.startLine) low = middle + 1;
      else high = middle;
    }
    if (low < chunks.length && chunks[low]!.startLine <= nameRange.startLine) names[low]!.push(name);
  }
  return names;
}

function enlarge(array: Int32Array): Int32Array {
  const larger = new Int32Array(array.length * 2);
  larger.set(array);
  return larger;
}
