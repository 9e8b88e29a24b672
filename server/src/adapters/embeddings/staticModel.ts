// Reads and writes the file of the shipped table of term vectors.
//
// Little-endian: magic (8 bytes), format version, dimensions, rows, bytes of the term list (4 × uint32), sha-256 of all
// that follows (32 bytes); then one scale per row (float32), the rows (int8), and the terms in the order of the rows
// (UTF-8, one a line).

import { createHash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { SelfwareError } from '../../util/typedError.ts';
import { createRowSums } from '../../util/rowSums.ts';
import { createWordNumbers, type WordNumbers } from '../../util/wordNumbers.ts';
import type { TermTable } from '../../core/ports/search.ts';

const FILE_MAGIC = 'SWTERMS\n';
const FORMAT_VERSION = 1;
const HEADER_BYTES = 56;
/** Offset of the sha-256 in the header. */
const DIGEST_OFFSET = 24;
/** Maximum number of dimensions, far above any model, so that a damaged header cannot request all memory. */
const MAX_DIMENSIONS = 4_096;

/** A table of term vectors. The vector of a term is its row, multiplied by its scale. */
export interface StaticModel {
  readonly dimensions: number;
  readonly terms: readonly string[];
  /** One scale for each term. */
  readonly scales: Float32Array;
  /** All rows one after the other: terms × dimensions. */
  readonly rows: Int8Array;
}

/**
 * Loads the table. Throws `unavailable` if the file cannot be read, and `damaged` if its content is not as it was
 * written.
 */
export async function loadTermTable(file: string): Promise<TermTable> {
  let bytes: Uint8Array;
  try {
    bytes = await readFile(file);
  } catch (cause) {
    throw new SelfwareError('unavailable', `The embedding model could not be read: ${file}.`, {
      action: 'Install Selfware again.',
      cause,
    });
  }
  return parseTermTable(bytes, file);
}

/**
 * Checks the bytes of a model, and unpacks them at the first question. `file`: the name for errors. Throws `damaged`.
 */
export function parseTermTable(bytes: Uint8Array, file: string): TermTable {
  const createDamageError = (problem: string): SelfwareError =>
    new SelfwareError('damaged', `The embedding model is damaged (${problem}): ${file}.`, {
      action: 'Install Selfware again.',
    });
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  if (
    bytes.length < HEADER_BYTES ||
    Buffer.from(bytes.subarray(0, FILE_MAGIC.length)).toString('latin1') !== FILE_MAGIC
  )
    throw createDamageError('not a model');
  const [version, dimensions, count, termBytes] = [8, 12, 16, 20].map((offset) => view.getUint32(offset, true)) as [
    number,
    number,
    number,
    number,
  ];
  if (version !== FORMAT_VERSION) throw createDamageError(`format ${version} instead of ${FORMAT_VERSION}`);
  if (
    dimensions < 1 ||
    dimensions > MAX_DIMENSIONS ||
    HEADER_BYTES + count * (4 + dimensions) + termBytes !== bytes.length
  )
    throw createDamageError('its length is wrong');
  const digest = createHash('sha256').update(bytes.subarray(HEADER_BYTES)).digest();
  if (!digest.equals(bytes.subarray(DIGEST_OFFSET, HEADER_BYTES))) throw createDamageError('its checksum is wrong');

  const rowsAt = HEADER_BYTES + count * 4;
  const termsAt = rowsAt + count * dimensions;
  if (countLines(bytes.subarray(termsAt)) !== count) throw createDamageError('its terms are incomplete');
  // Most runs of the command line need no vector, so the table is unpacked at the first question.
  let packed: Uint8Array | null = bytes;
  let unpacked: Unpacked | null = null;
  const unpackTable = (): Unpacked => {
    if (packed) [unpacked, packed] = [unpack(packed, rowsAt, termsAt, dimensions), null];
    return unpacked!;
  };
  return {
    profile: `static-${dimensions}-${digest.toString('hex').slice(0, 16)}`,
    dimensions,
    row: (term) => unpackTable().numbers.find(term),
    rowsOf: (terms) => unpackTable().numbers.findAll(terms),
    sum: (numbers, weights, count, into) => unpackTable().sum(numbers, weights, count, into),
  };
}

interface Unpacked {
  readonly numbers: WordNumbers;
  readonly sum: TermTable['sum'];
}

function unpack(bytes: Uint8Array, rowsAt: number, termsAt: number, dimensions: number): Unpacked {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const scales = new Float32Array((rowsAt - HEADER_BYTES) / 4);
  for (let row = 0; row < scales.length; row++) scales[row] = view.getFloat32(HEADER_BYTES + row * 4, true);
  const { rows, sum } = createRowSums(scales, dimensions);
  rows.set(new Int8Array(bytes.buffer, bytes.byteOffset + rowsAt, termsAt - rowsAt));
  const terms = new TextDecoder().decode(bytes.subarray(termsAt)).split('\n');
  let row = 0;
  const numbers = createWordNumbers(() => row);
  for (; row < terms.length; row++) numbers.number(terms[row]!);
  return { numbers, sum };
}

function countLines(text: Uint8Array): number {
  let lines = 1;
  for (let index = text.indexOf(10); index >= 0; index = text.indexOf(10, index + 1)) lines++;
  return lines;
}

/** The bytes of a model's file, which `parseTermTable` reads. */
export function serialiseModel({ dimensions, terms, scales, rows }: StaticModel): Uint8Array {
  const termList = new TextEncoder().encode(terms.join('\n'));
  const bytes = new Uint8Array(HEADER_BYTES + terms.length * (4 + dimensions) + termList.length);
  const view = new DataView(bytes.buffer);
  bytes.set(Buffer.from(FILE_MAGIC, 'latin1'));
  [FORMAT_VERSION, dimensions, terms.length, termList.length].forEach((value, index) =>
    view.setUint32(8 + index * 4, value, true),
  );
  scales.forEach((scale, row) => view.setFloat32(HEADER_BYTES + row * 4, scale, true));
  bytes.set(new Uint8Array(rows.buffer, rows.byteOffset, rows.length), HEADER_BYTES + terms.length * 4);
  bytes.set(termList, HEADER_BYTES + terms.length * (4 + dimensions));
  bytes.set(createHash('sha256').update(bytes.subarray(HEADER_BYTES)).digest(), DIGEST_OFFSET);
  return bytes;
}
