// What ranking knows of a repository: chunks, names, histories and vectors, kept up to date file by file.

import type { FileRecord, TermTable } from '../../indexPorts.ts';
import { queryTerms, termsOf } from '../terms.ts';
import { createNearVectors, type NearVectors } from './nearVectors.ts';
import { createPostings, packTerms, type Postings } from './postings.ts';
import type { RepositorySignals, SearchedFile } from './searcher.ts';
import { createTextVectors, type TextVectors } from './textVector.ts';
import { createVocabulary, type Vocabulary } from './vocabulary.ts';
import { penaltiesOf } from './penalties.ts';

/** A file in the index. Slots are numbers that are used once. */
export interface IndexedFile {
  readonly slot: number;
  readonly record: FileRecord;
  readonly chunkSlots: readonly number[];
  /** Packed terms of path and of commit subjects. */
  readonly pathTerms: Uint32Array;
  activity: number;
  subjectTerms: Uint32Array;
  subjectSlot: number;
  /** Terms of the file's name without extension, each once. */
  readonly stem: readonly string[];
  /** As `penaltiesOf` gives them. */
  readonly penalties: number;
  inDegree: number;
}

export interface IndexedChunk {
  readonly file: IndexedFile;
  /** In `file.record.chunks`. */
  readonly at: number;
  /** Packed. */
  readonly terms: Uint32Array;
  readonly length: number;
  /** Packed terms of the names defined in it. */
  readonly definitionTerms: Uint32Array;
  readonly names: Uint32Array;
}

export interface RankingIndex {
  readonly vocabulary: Vocabulary;
  readonly lexical: Postings;
  readonly paths: Postings;
  readonly definitions: Postings;
  /** Documents are those of `subjectFiles`. */
  readonly subjects: Postings;
  readonly subjectFiles: readonly (IndexedFile | null)[];
  /** Names of definitions in lower case, whole. */
  readonly names: Postings;
  /** By slot; null once removed. */
  readonly chunks: readonly (IndexedChunk | null)[];
  readonly files: readonly (IndexedFile | null)[];
  readonly shipped: { readonly near: NearVectors; readonly text: TextVectors } | null;
  readonly dense: NearVectors | null;
  readonly fileCount: number;
  readonly chunkCount: number;
  put(files: readonly SearchedFile[]): void;
  remove(paths: readonly string[]): void;
  describe(signals: RepositorySignals): void;
  /** Called with each chunk that comes. */
  onChunk: ((slot: number, chunk: IndexedChunk) => void) | null;
}

/** Commits say what a file is for; the newest ones are enough. */
const MAX_SUBJECTS = 60;

export function createRankingIndex(table: TermTable | null): RankingIndex {
  const vocabulary = createVocabulary();
  const [lexical, paths, definitions, names, subjects] = [createPostings(), createPostings(), createPostings(), createPostings(), createPostings()];
  const byPath = new Map<string, IndexedFile>();
  const files: (IndexedFile | null)[] = [];
  const chunks: (IndexedChunk | null)[] = [];
  const shipped = table && { near: createNearVectors(table.dimensions), text: createTextVectors(table, vocabulary) };
  const subjectFiles: (IndexedFile | null)[] = [];
  let dense: NearVectors | null = null;
  let known: RepositorySignals = { inDegree: new Map(), subjects: new Map(), activity: new Map() };
  let chunkCount = 0;

  const pack = (terms: readonly string[]): Uint32Array => packTerms(terms.map((term) => vocabulary.number(term)));
  const drop = (path: string): void => {
    const file = byPath.get(path);
    if (!file) return;
    byPath.delete(path);
    files[file.slot] = null;
    paths.remove(file.pathTerms, lengthOf(file.pathTerms));
    forgetSubjects(file);
    for (const slot of file.chunkSlots) {
      const { terms, length, definitionTerms, names: whole } = chunks[slot]!;
      lexical.remove(terms, length);
      definitions.remove(definitionTerms, lengthOf(definitionTerms));
      names.remove(whole, lengthOf(whole));
      shipped?.near.set(slot, null);
      dense?.set(slot, null);
      chunks[slot] = null;
    }
    chunkCount -= file.chunkSlots.length;
  };
  const add = ({ record, chunks: searched }: SearchedFile): void => {
    const stem = record.path.slice(record.path.lastIndexOf('/') + 1).replace(/\.[^.]*$/, '');
    const file: IndexedFile = {
      slot: files.length,
      record,
      chunkSlots: searched.map((_, at) => chunks.length + at),
      pathTerms: pack(termsOf(record.path.replace(/\.[^./]+$/, ''))),
      activity: known.activity.get(record.path) ?? 0,
      subjectTerms: new Uint32Array(),
      subjectSlot: -1,
      stem: [...new Set(termsOf(stem))],
      penalties: penaltiesOf(record),
      inDegree: known.inDegree.get(record.path) ?? 0,
    };
    files.push(file);
    byPath.set(record.path, file);
    paths.add(file.slot, file.pathTerms, lengthOf(file.pathTerms));
    rememberSubjects(file, subjectsOf(record.path));
    const defined = namesByChunk(record);
    searched.forEach(({ terms, vector }, at) => {
      const slot = chunks.length;
      const split = terms.split(' ').filter((term) => term !== '');
      const chunk: IndexedChunk = { file, at, terms: pack(split), length: split.length, definitionTerms: pack((defined[at] ?? []).flatMap(termsOf)), names: pack((defined[at] ?? []).map((name) => name.toLowerCase())) };
      chunks.push(chunk);
      lexical.add(slot, chunk.terms, chunk.length);
      definitions.add(slot, chunk.definitionTerms, lengthOf(chunk.definitionTerms));
      names.add(slot, chunk.names, lengthOf(chunk.names));
      if (vector) (dense ??= createNearVectors(vector.length)).set(slot, vector);
      shipped?.near.set(slot, shipped.text.of(chunk.terms));
      index.onChunk?.(slot, chunk);
    });
    chunkCount += searched.length;
  };
  const forgetSubjects = (file: IndexedFile): void => {
    subjectFiles[file.subjectSlot] = null;
    subjects.remove(file.subjectTerms, lengthOf(file.subjectTerms));
  };
  const rememberSubjects = (file: IndexedFile, terms: Uint32Array): void => {
    file.subjectTerms = terms;
    file.subjectSlot = subjectFiles.length;
    subjectFiles.push(file);
    subjects.add(file.subjectSlot, terms, lengthOf(terms));
  };
  const subjectsOf = (path: string): Uint32Array => {
    const lines = known.subjects.get(path) ?? [];
    return pack(lines.slice(0, MAX_SUBJECTS).flatMap((subject) => queryTerms(subject)));
  };

  const index: RankingIndex = {
    vocabulary, lexical, paths, definitions, names, subjects, subjectFiles, chunks, files, shipped, onChunk: null,
    get dense() {
      return dense;
    },
    get fileCount() {
      return byPath.size;
    },
    get chunkCount() {
      return chunkCount;
    },
    put(added) {
      for (const file of added) {
        drop(file.record.path);
        add(file);
      }
    },
    remove: (removed) => removed.forEach(drop),
    describe(signals) {
      known = signals;
      for (const file of byPath.values()) {
        file.inDegree = signals.inDegree.get(file.record.path) ?? 0;
        file.activity = signals.activity.get(file.record.path) ?? 0;
        const terms = subjectsOf(file.record.path);
        if (equal(terms, file.subjectTerms)) continue;
        forgetSubjects(file);
        rememberSubjects(file, terms);
      }
    },
  };
  return index;
}

function lengthOf(packed: Uint32Array): number {
  let length = 0;
  for (const entry of packed) length += entry & 31;
  return length;
}

function namesByChunk({ chunks, symbols }: FileRecord): string[][] {
  const names: string[][] = chunks.map(() => []);
  for (const { name, nameRange } of symbols) {
    const at = chunks.findIndex(({ startLine, endLine }) => startLine <= nameRange.startLine && endLine >= nameRange.startLine);
    if (at >= 0) names[at]!.push(name);
  }
  return names;
}

function equal(a: Uint32Array, b: Uint32Array): boolean {
  return a.length === b.length && a.every((value, at) => value === b[at]);
}
