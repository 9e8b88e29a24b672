// What was learned from the repository's own texts: a table of terms, as bytes and in use.

import { createHash } from 'node:crypto';
import type { JobTable, TermTable } from '../../indexPorts.ts';
import { createNearVectors } from './nearVectors.ts';
import { COUNT_BITS, MAX_COUNT } from './postings.ts';
import type { RankingIndex, Space } from './rankingIndex.ts';
import { createTextVectors } from './textVector.ts';
import { createRowSums } from '../../../util/rowSums.ts';
import { createWordNumbers, type WordNumbers } from '../../../util/wordNumbers.ts';

export interface LearnedTable extends TermTable {
  readonly terms: readonly string[];
  readonly rows: Int8Array;
  readonly scales: Float32Array;
  /** Chunks there were when it was learned. */
  readonly chunks: number;
}

export interface LearnedVectors extends Space {
  readonly table: LearnedTable;
}

const VERSION = 'selfware-learned-1';
/** Bytes of a sha-256. */
const CHECKSUM = 32;
export const LEARNED_DIMENSIONS = 96;
/** A term in fewer chunks says nothing about its company. */
const FEWEST_CHUNKS = 2;
/** A term in a larger share of the chunks is company to everything. */
const LARGEST_SHARE = 0.4;
/** The most frequent of the rest; more would cost memory and time for terms that hardly occur. */
const MAX_TERMS = 60_000;
/**
 * An even sample of larger repositories is enough: 5,000 and 10,000 are worth nothing more, 3,000 perhaps a little
 * less.
 */
const MAX_CHUNKS = 4_000;

export function createLearnedTable(
  terms: readonly string[],
  { dimensions, rows, scales }: JobTable['learnTerms']['output'],
  chunks: number,
): LearnedTable {
  let numbers: WordNumbers | null = null;
  const numbered = (): WordNumbers => {
    if (numbers) return numbers;
    let row = 0;
    numbers = createWordNumbers(() => row);
    for (; row < terms.length; row++) numbers.number(terms[row]!);
    return numbers;
  };
  const sums = createRowSums(scales, dimensions);
  sums.rows.set(rows);
  return {
    profile: `learned-${dimensions}`,
    dimensions,
    terms,
    rows: sums.rows,
    scales,
    chunks,
    row: (term) => numbered().find(term),
    rowsOf: (joined) => numbered().findAll(joined),
    sum: sums.sum,
  };
}

/**
 * Room for the vectors of the chunks by the table; none is there yet. `rows`: the table's rows by number in the index's
 * vocabulary, where that is known.
 */
export function vectorsBy(table: LearnedTable, index: RankingIndex, rows?: Int32Array): LearnedVectors {
  return { table, text: createTextVectors(table, index.vocabulary, rows), near: createNearVectors(table.dimensions) };
}

/** The same vectors after the index was compacted. */
export function movedVectors({ table, near }: LearnedVectors, index: RankingIndex, moved: Int32Array): LearnedVectors {
  const fresh: LearnedVectors = {
    table,
    text: createTextVectors(table, index.vocabulary),
    near: createNearVectors(table.dimensions),
  };
  moved.forEach((slot, from) => slot >= 0 && fresh.near.copy(near, from, slot));
  return fresh;
}

/**
 * What the job `learnTerms` needs, which term each of its numbers means, and the number of each term of the vocabulary,
 * or -1.
 */
export function learningInput(index: RankingIndex): {
  readonly input: JobTable['learnTerms']['input'];
  readonly terms: readonly string[];
  readonly numbers: Int32Array;
} {
  const live = index.chunks.flatMap((chunk, slot) => (chunk ? [slot] : []));
  const step = Math.max(1, live.length / MAX_CHUNKS);
  const sample = Array.from({ length: Math.min(live.length, MAX_CHUNKS) }, (_, at) => live[Math.floor(at * step)]!);
  const frequency = new Uint32Array(index.vocabulary.size());
  let all = 0;
  for (const slot of sample) {
    const entries = index.lexical.terms.of(slot);
    all += entries.length;
    for (let at = 0; at < entries.length; at++) frequency[entries[at]! >>> COUNT_BITS]!++;
  }
  const most = Math.max(FEWEST_CHUNKS, sample.length * LARGEST_SHARE);
  const chosen = Array.from(frequency.keys()).filter(
    (term) => frequency[term]! >= FEWEST_CHUNKS && frequency[term]! <= most,
  );
  if (chosen.length > MAX_TERMS) chosen.sort((a, b) => frequency[b]! - frequency[a]! || a - b).length = MAX_TERMS;
  const numbers = new Int32Array(index.vocabulary.size()).fill(-1);
  chosen.forEach((term, number) => (numbers[term] = number));
  const starts = new Uint32Array(sample.length + 1);
  const terms = new Uint32Array(all);
  const counts = new Uint8Array(all);
  let used = 0;
  for (let row = 0; row < sample.length; row++) {
    const entries = index.lexical.terms.of(sample[row]!);
    for (let at = 0; at < entries.length; at++) {
      const number = numbers[entries[at]! >>> COUNT_BITS]!;
      if (number < 0) continue;
      terms[used] = number;
      counts[used++] = entries[at]! & MAX_COUNT;
    }
    starts[row + 1] = used;
  }
  return {
    input: {
      starts,
      terms: terms.slice(0, used),
      counts: counts.slice(0, used),
      termCount: chosen.length,
      dimensions: LEARNED_DIMENSIONS,
    },
    terms: chosen.map((term) => index.vocabulary.term(term)),
    numbers,
  };
}

/** sha-256 of version and rest · length of the head · head as JSON · scales · rows. */
export function toBytes({ terms, dimensions, rows, scales, chunks }: LearnedTable): Uint8Array {
  const head = new TextEncoder().encode(JSON.stringify({ dimensions, chunks, terms }));
  const size = new Uint8Array(new Uint32Array([head.length]).buffer);
  const rest = concatenated([
    size,
    head,
    new Uint8Array(scales.buffer, scales.byteOffset, scales.byteLength),
    new Uint8Array(rows.buffer, rows.byteOffset, rows.byteLength),
  ]);
  return concatenated([checksumOf(rest), rest]);
}

/** Null when the bytes are not what `toBytes` of this version made. */
export function fromBytes(bytes: Uint8Array): LearnedTable | null {
  if (bytes.length < CHECKSUM + 4) return null;
  // A copy of its own: the bytes may be a part of something larger, and floats must be aligned.
  const rest = new Uint8Array(bytes.subarray(CHECKSUM));
  if (!checksumOf(rest).every((value, at) => value === bytes[at])) return null;
  const headEnd = 4 + new DataView(rest.buffer).getUint32(0, true);
  const { dimensions, chunks, terms } = JSON.parse(new TextDecoder().decode(rest.subarray(4, headEnd))) as {
    dimensions: number;
    chunks: number;
    terms: string[];
  };
  const scalesEnd = headEnd + terms.length * 4;
  return createLearnedTable(
    terms,
    {
      dimensions,
      scales: new Float32Array(rest.slice(headEnd, scalesEnd).buffer),
      rows: new Int8Array(rest.slice(scalesEnd).buffer),
    },
    chunks,
  );
}

/** Tells apart what was learned at different times. */
export function idOf(bytes: Uint8Array): string {
  return Buffer.from(bytes.subarray(0, CHECKSUM)).toString('hex');
}

function checksumOf(rest: Uint8Array): Uint8Array {
  return createHash('sha256').update(VERSION).update(rest).digest();
}

function concatenated(parts: readonly Uint8Array[]): Uint8Array {
  const bytes = new Uint8Array(parts.reduce((sum, part) => sum + part.length, 0));
  let at = 0;
  for (const part of parts) {
    bytes.set(part, at);
    at += part.length;
  }
  return bytes;
}
