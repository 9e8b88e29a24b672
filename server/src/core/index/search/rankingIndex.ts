// What ranking knows of a repository: chunks, names, history and vectors, kept up to date file by file.

import type { FileRecord, TermTable } from '../../indexPorts.ts';
import { termsOf } from '../terms.ts';
import { createCommitIndex, type CommitIndex } from './commitIndex.ts';
import { fileNameOf, type FileName } from './fileName.ts';
import { createNearVectors, type NearVectors } from './nearVectors.ts';
import { plainName } from './names.ts';
import { penaltiesOf, typesFactor } from './penalties.ts';
import { createPostings, lengthOf, packTerms, renumbered, type Postings } from './postings.ts';
import type { RepositorySignals, SearchedFile } from './searcher.ts';
import { createTextVectors, type TextVectors } from './textVector.ts';
import { createVocabulary, type Vocabulary } from './vocabulary.ts';

export interface IndexedFile {
  readonly slot: number;
  readonly record: FileRecord;
  readonly chunkSlots: readonly number[];
  /** Packed, as all terms here. */
  readonly pathTerms: Uint32Array;
  readonly name: FileName;
  /** As `penaltiesOf` gives them. */
  readonly penalties: number;
  /** As `typesFactor` gives it. */
  readonly typesFactor: number;
  activity: number;
  inDegree: number;
}

export interface IndexedChunk {
  readonly file: IndexedFile;
  /** In `file.record.chunks`. */
  readonly at: number;
  readonly terms: Uint32Array;
  /** Number of terms, repeats counted. */
  readonly length: number;
  /** Terms of the names defined in it. */
  readonly definitionTerms: Uint32Array;
  /** Those names as a whole, as `plainName` gives them. */
  readonly names: Uint32Array;
}

export interface Space {
  readonly near: NearVectors;
  readonly text: TextVectors;
}

/** Everything has a slot: a number that is used once. What was removed is null in its slot until the index is compacted. */
export interface RankingIndex {
  readonly vocabulary: Vocabulary;
  /** By chunk: terms, terms of names defined, and the names. */
  readonly lexical: Postings;
  readonly definitions: Postings;
  readonly names: Postings;
  /** By file: terms of the path. */
  readonly paths: Postings;
  readonly chunks: (IndexedChunk | null)[];
  readonly files: (IndexedFile | null)[];
  /** By slot of a chunk: the slot of its file; -1 once removed. */
  fileOf: Int32Array;
  /** By slot of a file: its `penalties`. */
  penaltiesOf: Int32Array;
  readonly byPath: Map<string, IndexedFile>;
  /** Vectors by the shipped table. */
  readonly shipped: Space | null;
  /** Vectors of the configured embedder. */
  dense: NearVectors | null;
  chunkCount: number;
  described: RepositorySignals;
  /** Of `described`. */
  commits: CommitIndex;
}

export function createRankingIndex(table: TermTable | null): RankingIndex {
  const vocabulary = createVocabulary();
  return {
    vocabulary,
    lexical: createPostings(),
    definitions: createPostings(),
    names: createPostings(),
    paths: createPostings(),
    chunks: [],
    files: [],
    fileOf: new Int32Array(1024),
    penaltiesOf: new Int32Array(1024),
    byPath: new Map(),
    shipped: table && { near: createNearVectors(table.dimensions), text: createTextVectors(table, vocabulary) },
    dense: null,
    chunkCount: 0,
    described: { inDegree: new Map(), commits: [], activity: new Map() },
    commits: createCommitIndex([]),
  };
}

/** Adds a file that is not there. `onChunk` is called with each of its chunks. */
export function addFile(index: RankingIndex, { record, chunks, provisional = false }: SearchedFile, onChunk: (slot: number, chunk: IndexedChunk) => void): void {
  const pack = (terms: readonly string[]): Uint32Array => packTerms(terms.map((term) => index.vocabulary.number(term)));
  const defined = namesByChunk(record);
  const file = placeFile(index, record, pack(termsOf(record.path.replace(/\.[^./]+$/, ''))), chunks.length);
  chunks.forEach(({ terms, vector }, at) => {
    const split = terms.split(' ').filter((term) => term !== '');
    const names = defined[at] ?? [];
    const slot = placeChunk(index, { file, at, terms: pack(split), length: split.length, definitionTerms: pack(names.flatMap(termsOf)), names: pack(names.map(plainName)) });
    const chunk = index.chunks[slot]!;
    if (vector) {
      if (index.dense?.dimensions !== vector.length) index.dense = createNearVectors(vector.length);
      index.dense.set(slot, vector);
    }
    index.shipped?.near.set(slot, provisional ? null : index.shipped.text.of(chunk.terms));
    onChunk(slot, chunk);
  });
}

/** Gives the slots of the chunks that are gone. */
export function removeFile(index: RankingIndex, path: string): readonly number[] {
  const file = index.byPath.get(path);
  if (!file) return [];
  index.byPath.delete(path);
  index.files[file.slot] = null;
  index.paths.remove(file.pathTerms, lengthOf(file.pathTerms));
  for (const slot of file.chunkSlots) {
    const { terms, length, definitionTerms, names } = index.chunks[slot]!;
    index.lexical.remove(terms, length);
    index.definitions.remove(definitionTerms, lengthOf(definitionTerms));
    index.names.remove(names, lengthOf(names));
    index.shipped?.near.set(slot, null);
    index.dense?.set(slot, null);
    index.chunks[slot] = null;
    index.fileOf[slot] = -1;
    index.chunkCount--;
  }
  return file.chunkSlots;
}

export function describeFiles(index: RankingIndex, described: RepositorySignals): void {
  if (described.commits !== index.described.commits) index.commits = createCommitIndex(described.commits);
  index.described = described;
  for (const file of index.byPath.values()) {
    file.inDegree = described.inDegree.get(file.record.path) ?? 0;
    file.activity = described.activity.get(file.record.path) ?? 0;
  }
}

/** The same without what was removed, and which slots became which (by old slot; -1 = gone). */
export function compacted(old: RankingIndex, table: TermTable | null): { readonly index: RankingIndex; readonly moved: Int32Array } {
  const index = createRankingIndex(table);
  index.described = old.described;
  index.commits = old.commits;
  if (old.dense) index.dense = createNearVectors(old.dense.dimensions);
  const moved = new Int32Array(old.chunks.length).fill(-1);
  const numbers = new Int32Array(old.vocabulary.size).fill(-1);
  const translate = (terms: Uint32Array): Uint32Array => renumbered(terms, (number) => (numbers[number]! >= 0 ? numbers[number]! : (numbers[number] = index.vocabulary.number(old.vocabulary.term(number)))));
  for (const before of old.byPath.values()) {
    const file = placeFile(index, before.record, translate(before.pathTerms), before.chunkSlots.length);
    for (const from of before.chunkSlots) {
      const chunk = old.chunks[from]!;
      const slot = placeChunk(index, { file, at: chunk.at, terms: translate(chunk.terms), length: chunk.length, definitionTerms: translate(chunk.definitionTerms), names: translate(chunk.names) });
      moved[from] = slot;
      if (old.shipped) index.shipped?.near.copy(old.shipped.near, from, slot);
      if (old.dense) index.dense?.copy(old.dense, from, slot);
    }
  }
  return { index, moved };
}

function placeFile(index: RankingIndex, record: FileRecord, pathTerms: Uint32Array, chunks: number): IndexedFile {
  const { inDegree, activity } = index.described;
  const file: IndexedFile = {
    slot: index.files.length,
    record,
    chunkSlots: Array.from({ length: chunks }, (_, at) => index.chunks.length + at),
    pathTerms,
    name: fileNameOf(record.path),
    penalties: penaltiesOf(record),
    typesFactor: typesFactor(record),
    activity: activity.get(record.path) ?? 0,
    inDegree: inDegree.get(record.path) ?? 0,
  };
  index.files.push(file);
  if (file.slot >= index.penaltiesOf.length) index.penaltiesOf = grown(index.penaltiesOf);
  index.penaltiesOf[file.slot] = file.penalties;
  index.byPath.set(record.path, file);
  index.paths.add(file.slot, pathTerms, lengthOf(pathTerms));
  return file;
}

function placeChunk(index: RankingIndex, chunk: IndexedChunk): number {
  const slot = index.chunks.length;
  index.chunks.push(chunk);
  if (slot >= index.fileOf.length) index.fileOf = grown(index.fileOf);
  index.fileOf[slot] = chunk.file.slot;
  index.lexical.add(slot, chunk.terms, chunk.length);
  index.definitions.add(slot, chunk.definitionTerms, lengthOf(chunk.definitionTerms));
  index.names.add(slot, chunk.names, lengthOf(chunk.names));
  index.chunkCount++;
  return slot;
}

/** Names of the definitions that begin in each chunk. */
function namesByChunk({ chunks, symbols }: FileRecord): string[][] {
  const names: string[][] = chunks.map(() => []);
  for (const { name, nameRange } of symbols) {
    const at = chunks.findIndex(({ startLine, endLine }) => startLine <= nameRange.startLine && endLine >= nameRange.startLine);
    if (at >= 0) names[at]!.push(name);
  }
  return names;
}

function grown(array: Int32Array): Int32Array {
  const larger = new Int32Array(array.length * 2);
  larger.set(array);
  return larger;
}
