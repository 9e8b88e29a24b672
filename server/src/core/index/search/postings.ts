// An inverted index in typed arrays: the documents that contain each term. Documents are added and removed one at a
// time.

/**
 * Number of bits of a packed count. The number of a term or a document is packed with a count as number × 32 + count.
 */
export const COUNT_BITS = 5;
/** The largest packed count. Larger counts become this one. */
export const MAX_COUNT = (1 << COUNT_BITS) - 1;
/** The pool allocates pages of 2^PAGE_BITS entries. */
const PAGE_BITS = 18;
const PAGE_SIZE = 1 << PAGE_BITS;
/** The smallest size class; an area of class n has 2^n entries. */
const MIN_CLASS = 1;

/** Scores by document number, and the numbers of the documents whose score is not zero. */
export interface Scores {
  readonly values: Float64Array;
  readonly touched: Uint32Array;
  count: number;
}

/** An inverted index of documents by their terms. */
export interface Postings {
  /**
   * Adds a document. The caller numbers the documents and uses each number once. `terms`: packed (term, count), each
   * term once.
   */
  add(document: number, terms: Uint32Array, length: number): void;
  /**
   * Removes a document. Expects the terms that were passed to `add`. The entries stay until the index is rebuilt, so
   * callers must ignore scores of removed documents.
   */
  remove(document: number, terms: Uint32Array): void;
  /** Starts an empty index with documents 0, 1, … of these lengths. `fill` adds their entries. */
  begin(lengths: Uint32Array): void;
  /** Adds all entries of a term at once, in the order of the documents; `entries` is packed (document, count). */
  fill(term: number, entries: Uint32Array): void;
  /** Number of documents with the term, without removed ones. */
  frequency(term: number): number;
  /**
   * Adds the BM25 score of each document with the term to `into`, including removed documents. An unknown term adds
   * nothing.
   */
  score(term: number, weight: number, k1: number, b: number, into: Scores): void;
  /** Calls `visit` for each document with the term, including removed ones. */
  forEachDocument(term: number, visit: (document: number, count: number) => void): void;
  /** Number of terms in a document, repetitions included. */
  lengthOf(document: number): number;
  /** Sum of the lengths of all documents, without removed ones. */
  totalLength(): number;
}

/** The weight of a term in BM25: the fewer documents have it, the more it tells. */
export function computeRarity(frequency: number, documents: number): number {
  return Math.log(1 + (documents - frequency + 0.5) / (frequency + 0.5));
}

/**
 * The share of a query that a document with this BM25 score matches. 1 is the score of a document of average length
 * that has each term once. `frequencies`: for each term of the query, the number of documents that have it.
 */
export function computeQueryShare(score: number, frequencies: readonly number[], documents: number): number {
  const fullScore = frequencies.reduce((sum, frequency) => sum + computeRarity(frequency, documents), 0);
  return fullScore === 0 ? 0 : Math.min(1, score / fullScore);
}

/** Creates an empty index. BM25: Robertson & Zaragoza, "The Probabilistic Relevance Framework", 2009. */
export function createPostings(): Postings {
  const pool = createPool();
  // By term: the address of its entries.
  let starts = new Uint32Array(1024);
  /** By term: the number of its entries. */
  let counts = new Uint32Array(1024);
  /** By term: the number of its entries without those of removed documents. */
  let liveCounts = new Uint32Array(1024);
  /** By term: the size class of the area of its entries. */
  let classes = new Uint8Array(1024);
  /** By document: its length. */
  let lengths = new Uint32Array(1024);
  let documentCount = 0;
  let totalLength = 0;

  const makeRoom = (term: number): void => {
    if (term < starts.length) return;
    const size = computeCapacity(term);
    starts = enlarge(starts, size);
    counts = enlarge(counts, size);
    liveCounts = enlarge(liveCounts, size);
    classes = enlargeBytes(classes, size);
  };
  const push = (term: number, entry: number): void => {
    makeRoom(term);
    const count = counts[term]!;
    const size = classes[term]!;
    if (count === 0) {
      classes[term] = MIN_CLASS;
      starts[term] = pool.take(MIN_CLASS);
    } else if (count === 1 << size) {
      starts[term] = pool.move(starts[term]!, size, count);
      classes[term] = size + 1;
    }
    pool.set(starts[term]! + count, entry);
    counts[term] = count + 1;
    liveCounts[term]!++;
  };

  return {
    add(document, terms, length) {
      if (document >= lengths.length) lengths = enlarge(lengths, computeCapacity(document));
      lengths[document] = length;
      documentCount++;
      totalLength += length;
      for (let index = 0; index < terms.length; index++)
        push(terms[index]! >>> COUNT_BITS, ((document << COUNT_BITS) | (terms[index]! & MAX_COUNT)) >>> 0);
    },
    remove(document, terms) {
      documentCount--;
      totalLength -= lengths[document]!;
      for (let index = 0; index < terms.length; index++) liveCounts[terms[index]! >>> COUNT_BITS]!--;
    },
    begin(storedLengths) {
      lengths = storedLengths.slice();
      documentCount = storedLengths.length;
      totalLength = storedLengths.reduce((sum, length) => sum + length, 0);
    },
    fill(term, entries) {
      if (entries.length === 0) return;
      makeRoom(term);
      const size = Math.ceil(Math.log2(entries.length));
      classes[term] = Math.max(MIN_CLASS, size);
      starts[term] = pool.take(classes[term]!);
      const { page, from } = pool.locate(starts[term]!);
      page.set(entries, from);
      counts[term] = liveCounts[term] = entries.length;
    },
    lengthOf: (document) => lengths[document]!,
    totalLength: () => totalLength,
    frequency: (term) => (term >= 0 && term < liveCounts.length ? liveCounts[term]! : 0),
    score(term, weight, k1, b, into) {
      if (term < 0 || term >= counts.length || liveCounts[term] === 0 || weight === 0) return;
      const { values, touched } = into;
      const frequency = liveCounts[term]!;
      const rarity = weight * computeRarity(frequency, documentCount) * (k1 + 1);
      const fixedPart = k1 * (1 - b);
      const perLength = (k1 * b) / Math.max(1, totalLength / documentCount);
      const { page, from } = pool.locate(starts[term]!);
      const end = from + counts[term]!;
      for (let current = from; current < end; current++) {
        const entry = page[current]!;
        const document = entry >>> COUNT_BITS;
        const count = entry & MAX_COUNT;
        if (values[document] === 0) touched[into.count++] = document;
        values[document]! += (rarity * count) / (count + fixedPart + perLength * lengths[document]!);
      }
    },
    forEachDocument(term, visit) {
      if (term < 0 || term >= counts.length || counts[term] === 0) return;
      const { page, from } = pool.locate(starts[term]!);
      for (let current = from; current < from + counts[term]!; current++)
        visit(page[current]! >>> COUNT_BITS, page[current]! & MAX_COUNT);
    },
  };
}

/**
 * Maximum number of terms for which comparing them with each other is faster than a map. Must be smaller than the
 * largest count.
 */
const MAX_COMPARED = 16;
/** Shared, because an empty array takes as much memory as the few names of a chunk. */
const NO_TERMS = new Uint32Array();

/** The terms of a text, packed as (term, count), in order of their first occurrence. */
export function packTerms(terms: readonly number[]): Uint32Array {
  if (terms.length === 0) return NO_TERMS;
  if (terms.length <= MAX_COMPARED) return packByComparing(terms);
  const counts = new Map<number, number>();
  for (const term of terms) counts.set(term, (counts.get(term) ?? 0) + 1);
  const packed = new Uint32Array(counts.size);
  let index = 0;
  for (const [term, count] of counts) packed[index++] = ((term << COUNT_BITS) | Math.min(count, MAX_COUNT)) >>> 0;
  return packed;
}

/** Packs terms in order of their first occurrence. It compares the terms with each other instead of using a map. */
function packByComparing(terms: readonly number[]): Uint32Array {
  const packed = new Uint32Array(terms.length);
  let usedEntries = 0;
  for (let index = 0; index < terms.length; index++) {
    const entry = terms[index]! << COUNT_BITS;
    let knownIndex = 0;
    while (knownIndex < usedEntries && (packed[knownIndex]! & ~MAX_COUNT) !== entry) knownIndex++;
    if (knownIndex === usedEntries) packed[usedEntries++] = (entry | 1) >>> 0;
    else packed[knownIndex]!++;
  }
  return usedEntries === terms.length ? packed : packed.slice(0, usedEntries);
}

/** Number of occurrences in packed terms, where each term counts at most `MAX_COUNT` times. */
export function countOccurrences(packed: Uint32Array): number {
  let length = 0;
  for (const entry of packed) length += entry & MAX_COUNT;
  return length;
}

/** A copy of packed terms in which `number` replaces each term number. */
export function renumberTerms(packed: Uint32Array, number: (term: number) => number): Uint32Array {
  return packed.map((entry) => ((number(entry >>> COUNT_BITS) << COUNT_BITS) | (entry & MAX_COUNT)) >>> 0);
}

/**
 * Allocates areas of 2^n entries in pages; `size` is n. An area that has become too small is freed and reused. The
 * upper bits of an address are the number of the page.
 */
function createPool() {
  const pages: Uint32Array[] = [];
  const freeAreas: number[][] = [];
  /** Address of the unused part of the newest page; -1 if there is no page. */
  let openStart = -1;
  let freeEntries = 0;
  const take = (size: number): number => {
    const reusedArea = freeAreas[size]?.pop();
    if (reusedArea !== undefined) return reusedArea;
    const entries = 1 << size;
    if (entries >= PAGE_SIZE) {
      // A large area gets its own array. A page number stands for PAGE_SIZE entries, so the area takes several.
      const page = new Uint32Array(entries);
      const start = pages.length << PAGE_BITS;
      for (let part = 0; part < entries >> PAGE_BITS; part++) pages.push(page);
      return start;
    }
    if (entries > freeEntries) {
      openStart = pages.length << PAGE_BITS;
      freeEntries = PAGE_SIZE;
      pages.push(new Uint32Array(PAGE_SIZE));
    }
    const start = openStart;
    openStart += entries;
    freeEntries -= entries;
    return start;
  };
  const locatePage = (address: number): { readonly page: Uint32Array; readonly from: number } => {
    const number = address >>> PAGE_BITS;
    const page = pages[number]!;
    return page.length === PAGE_SIZE
      ? { page, from: address & (PAGE_SIZE - 1) }
      : { page, from: address - (pages.indexOf(page) << PAGE_BITS) };
  };
  return {
    take,
    locate: locatePage,
    set(address: number, value: number): void {
      const { page, from } = locatePage(address);
      page[from] = value;
    },
    move(from: number, size: number, count: number): number {
      const target = take(size + 1);
      const source = locatePage(from);
      const { page, from: start } = locatePage(target);
      page.set(source.page.subarray(source.from, source.from + count), start);
      (freeAreas[size] ??= []).push(from);
      return target;
    },
  };
}

/** The smallest power of two above `index`. */
function computeCapacity(index: number): number {
  return 1 << (32 - Math.clz32(index + 1));
}

function enlarge(array: Uint32Array<ArrayBuffer>, size: number): Uint32Array<ArrayBuffer> {
  const larger = new Uint32Array(size);
  larger.set(array);
  return larger;
}

function enlargeBytes(array: Uint8Array<ArrayBuffer>, size: number): Uint8Array<ArrayBuffer> {
  const larger = new Uint8Array(size);
  larger.set(array);
  return larger;
}

/** Adds to the score of a document, and notes the document if this is its first score. */
export function addScore(scores: Scores, index: number, value: number): void {
  if (scores.values[index] === 0) scores.touched[scores.count++] = index;
  scores.values[index]! += value;
}

export function clearScores(scores: Scores): void {
  for (let index = 0; index < scores.count; index++) scores.values[scores.touched[index]!] = 0;
  scores.count = 0;
}
