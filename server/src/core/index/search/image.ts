// Turns the index in memory into bytes (an image) and back. When Selfware starts on an unchanged repository, it reads
// the image instead of building the index again.

import {
  createNumberReader,
  createNumberWriter,
  sealSections,
  unsealSections,
  type NumberReader,
  type NumberWriter,
} from './imageBytes.ts';
import { createNearVectors } from './nearVectors.ts';
import { createPostings, COUNT_BITS, MAX_COUNT, type Postings } from './postings.ts';
import { createRankingIndex, addChunk, placeFile, type IndexedDocuments, type RankingIndex } from './rankingIndex.ts';
import type { ImageKey } from './searcher.ts';
import { createTermLists } from './termLists.ts';
import { createVocabulary } from './vocabulary.ts';
import type { FileRecord } from '../../ports/catalogue.ts';
import type { TermTable } from '../../ports/search.ts';

/** Change this whenever the format, the signals in it, or the computation of terms and vectors changes. */
const FORMAT_VERSION = 'selfware-index-image-3';
const DOCUMENT_KINDS = ['lexical', 'names', 'paths'] as const;

/** The first section of the bytes. */
interface Head {
  readonly use: ImageKey;
  /** Profile of the shipped term table; null if the image has no vectors of it. */
  readonly shipped: string | null;
  /** Number of dimensions of the embedder's vectors; null if the image has none. */
  readonly dense: number | null;
  readonly files: readonly StoredFile[];
}

/** A file as the image stores it. `penalties`: bits, see `computePenalties`. */
type StoredFile = readonly [path: string, identity: string, chunkCount: number, penalties: number, typesFactor: number];

/** An index that was restored from an image. */
export interface RestoredIndex {
  readonly index: RankingIndex;
  /** Hash of the tree from which the image was made. */
  readonly treeHash: string;
  /** Paths of the files that must be removed from the index, because their record has changed or is gone. */
  readonly stalePaths: readonly string[];
}

/**
 * The input for restoring an image. `profile`: the expected profile of the records and the embedder. `findRecord`
 * returns the record of a path if its content has this identity, otherwise null.
 */
export interface RestoreInput {
  readonly profile: string;
  readonly table: TermTable | null;
  readonly findRecord: (path: string, identity: string) => FileRecord | null;
}

/**
 * Identifies the content of a file and the problem that its inspection had, if any. If both are the same, the chunks
 * are the same, too, so this part of the image is valid.
 */
export function computeContentIdentity({ hash, trouble }: Pick<FileRecord, 'hash' | 'trouble'>): string {
  return trouble === null ? hash : `${hash} ${trouble}`;
}

/** The bytes of an index without removed entries. Provisional files must have been replaced before. */
export function exportImage(index: RankingIndex, use: ImageKey, table: TermTable | null): Uint8Array {
  const files = index.files.flatMap((file) => (file ? [file] : []));
  const chunkSlots = Uint32Array.from(index.chunks.keys()).filter((slot) => index.chunks[slot] !== null);
  const renumber = { chunks: renumberSlots(index.chunks), files: renumberSlots(index.files) };
  const usedTerms = Array.from({ length: index.vocabulary.size() }, (_, term) => term).filter((term) =>
    DOCUMENT_KINDS.some((kind) => index[kind].postings.frequency(term) > 0),
  );
  const head: Head = {
    use,
    shipped: index.shipped && (table?.profile ?? null),
    dense: index.dense?.dimensions ?? null,
    files: files.map(({ record, chunkCount, penalties, typesFactor }) => [
      record.path,
      computeContentIdentity(record),
      chunkCount,
      penalties,
      typesFactor,
    ]),
  };
  const terms = usedTerms.map((term) => index.vocabulary.term(term)).join('\n');
  const documents = DOCUMENT_KINDS.map((kind) => {
    const numbers = kind === 'paths' ? renumber.files : renumber.chunks;
    const writer = createNumberWriter();
    writePostings(writer, index[kind].postings, numbers, usedTerms);
    return writer.bytes();
  });
  const vectors = [index.shipped?.nearVectors, index.dense].map(
    (vectorIndex) => vectorIndex?.dump(chunkSlots) ?? new Uint8Array(),
  );
  const texts = [JSON.stringify(head), terms].map((text) => new TextEncoder().encode(text));
  return sealSections(FORMAT_VERSION, [...texts, ...documents, ...vectors]);
}

/** Restores the index from an image. Null for bytes of another version or profile, and for damaged bytes. */
export function restoreIndex(bytes: Uint8Array, { profile, table, findRecord }: RestoreInput): RestoredIndex | null {
  const sections = unsealSections(FORMAT_VERSION, bytes);
  if (!sections) return null;
  const head = JSON.parse(new TextDecoder().decode(sections[0])) as Head;
  if (head.use.profile !== profile || head.shipped !== (table?.profile ?? null)) return null;
  const text = new TextDecoder().decode(sections[1]);
  const terms = text === '' ? [] : text.split('\n');
  const index = createRankingIndex(table, createVocabulary(terms));
  const stale: string[] = [];
  for (const [path, identity, chunkCount, penalties, typesFactor] of head.files) {
    const record = findRecord(path, identity);
    if (!record) stale.push(path);
    const file = placeFile(index, record ?? createPlaceholderRecord(path), { chunkCount, penalties, typesFactor });
    for (let position = 0; position < chunkCount; position++) addChunk(index, file, position);
  }
  DOCUMENT_KINDS.forEach((kind, position) => {
    index[kind] = readPostings(
      createNumberReader(sections[2 + position]!),
      kind === 'paths' ? head.files.length : index.chunkCount,
      terms.length,
    );
  });
  const [shipped, dense] = sections.slice(2 + DOCUMENT_KINDS.length);
  if (index.shipped && !index.shipped.nearVectors.load(index.chunkCount, shipped!)) return null;
  if (head.dense !== null) {
    index.dense = createNearVectors(head.dense);
    if (!index.dense.load(index.chunkCount, dense!)) return null;
  }
  return { index, treeHash: head.use.treeHash, stalePaths: stale };
}

/** A placeholder for the record of a file that is removed immediately afterwards. */
function createPlaceholderRecord(path: string): FileRecord {
  return {
    path,
    size: 0,
    mtimeMs: 0,
    hash: '',
    language: null,
    tokens: 0,
    symbols: [],
    chunks: [],
    imports: [],
    generated: false,
    trouble: null,
  };
}

/** By old slot: its number after the gaps (null) are removed; -1 for a gap. */
function renumberSlots(slots: readonly unknown[]): Int32Array {
  let nextNumber = 0;
  return Int32Array.from(slots, (slot) => (slot === null ? -1 : nextNumber++));
}

/**
 * Writes postings. The format: the lengths of the documents and the number of terms; then for each term its distance
 * from the previous term, the number of its documents, and the distances between these documents. The distance between
 * documents is doubled, and odd if a count above 1 follows.
 */
function writePostings(writer: NumberWriter, postings: Postings, numbers: Int32Array, terms: readonly number[]): void {
  numbers.forEach((number, slot) => number >= 0 && writer.write(postings.lengthOf(slot)));
  const usedNumbers = Array.from(terms.keys()).filter((number) => postings.frequency(terms[number]!) > 0);
  writer.write(usedNumbers.length);
  let previousNumber = -1;
  for (const number of usedNumbers) {
    writer.write(number - previousNumber);
    writer.write(postings.frequency(terms[number]!));
    previousNumber = number;
    let previousDocument = -1;
    postings.forEachDocument(terms[number]!, (slot, count) => {
      const document = numbers[slot]!;
      if (document < 0) return;
      writer.write(((document - previousDocument) << 1) | (count > 1 ? 1 : 0));
      if (count > 1) writer.write(count);
      previousDocument = document;
    });
  }
}

/**
 * Reads the postings that `writePostings` has written. `count`: number of documents. `terms`: number of terms in the
 * vocabulary.
 */
function readPostings(reader: NumberReader, count: number, terms: number): IndexedDocuments {
  const postings = createPostings();
  const lengths = new Uint32Array(count);
  for (let document = 0; document < count; document++) lengths[document] = reader.read();
  postings.begin(lengths);
  const entries = new Uint32Array(count);
  let term = -1;
  for (let remaining = reader.read(); remaining > 0; remaining--) {
    term += reader.read();
    const frequency = reader.read();
    let document = -1;
    for (let index = 0; index < frequency; index++) {
      const step = reader.read();
      document += step >>> 1;
      entries[index] = ((document << COUNT_BITS) | (step & 1 ? reader.read() & MAX_COUNT : 1)) >>> 0;
    }
    postings.fill(term, entries.subarray(0, frequency));
  }
  return { postings, terms: createTermLists({ documents: count, terms, postings }) };
}
