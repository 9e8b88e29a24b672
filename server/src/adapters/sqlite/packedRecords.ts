// Stores records of files as rows: columns for the fields that every start needs, and packed lists for the others,
// which are unpacked at their first use.

import { crc32, deflateRawSync, inflateRawSync } from 'node:zlib';
import type { Range, SymbolInfo } from '../../core/model.ts';
import { SelfwareError } from '../../util/typedError.ts';
import type { FileRecord } from '../../core/ports/catalogue.ts';

/** A fast level of compression. The result is still five times smaller than the JSON. */
const DEFLATE_LEVEL = 1;

/** The columns of the table of records, one row for each file. `checksum`: the checksum of `rest`. */
export interface RecordRow {
  readonly path: string;
  readonly hash: string;
  readonly size: number;
  readonly mtime_ms: number;
  /** JSON of the small fields: [language, tokens, imports, generated, trouble]. */
  readonly facts: string;
  readonly checksum: number;
  /**
   * JSON of `DetailTuples`, which has no names of fields. It is hardly larger than deflated JSON with names, and is
   * written and read in a tenth of the time.
   */
  readonly rest: Uint8Array;
}

type Facts = readonly [FileRecord['language'], number, readonly string[], boolean, FileRecord['trouble']];
type RecordDetails = Pick<FileRecord, 'symbols' | 'symbolTokens' | 'chunks'>;
type PackedRange = readonly [startLine: number, startColumn: number, endLine: number, endColumn: number];
type SymbolTuple = readonly [
  name: string,
  path: string,
  kind: SymbolInfo['kind'],
  exported: 0 | 1,
  ...range: PackedRange,
  ...nameRange: PackedRange,
];
type ChunkTuple = readonly [id: string, startLine: number, endLine: number, symbol: string | null];
type DetailTuples = readonly [
  symbols: readonly SymbolTuple[],
  symbolTokens: NonNullable<FileRecord['symbolTokens']> | null,
  chunks: readonly ChunkTuple[],
];

/** The row of a record. */
export function toRow({
  path,
  hash,
  size,
  mtimeMs,
  language,
  tokens,
  imports,
  generated,
  trouble,
  ...rest
}: FileRecord): RecordRow {
  const packed = Buffer.from(JSON.stringify(packDetails(rest)));
  return {
    path,
    hash,
    size,
    mtime_ms: mtimeMs,
    facts: JSON.stringify([language, tokens, imports, generated, trouble] satisfies Facts),
    checksum: crc32(packed),
    rest: packed,
  };
}

/**
 * The record of a row. Throws `damaged` for a row that was not written in this form, so that everything read later is
 * valid.
 */
export function parseRow({ path, hash, size, mtime_ms, facts, checksum, rest }: RecordRow): FileRecord {
  if (crc32(rest) !== checksum) throw new SelfwareError('damaged', 'A record of the catalogue is damaged.');
  const [language, tokens, imports, generated, trouble] = parseRecord<Facts>(facts);
  let bytes: Uint8Array | null = rest;
  let unpacked: RecordDetails | null = null;
  const readDetails = (): RecordDetails => {
    if (bytes) [unpacked, bytes] = [unpackDetails(path, bytes), null];
    return unpacked!;
  };
  // The getters are own, enumerable properties of the object, so that copies of the record also have their values.
  return {
    path,
    size,
    mtimeMs: mtime_ms,
    hash,
    language,
    tokens,
    get symbols() {
      return readDetails().symbols;
    },
    get symbolTokens() {
      return readDetails().symbolTokens;
    },
    get chunks() {
      return readDetails().chunks;
    },
    imports,
    generated,
    trouble,
  };
}

function packDetails({ symbols, symbolTokens, chunks }: RecordDetails): DetailTuples {
  return [
    symbols.map(
      ({ name, path, kind, exported, range, nameRange }): SymbolTuple => [
        name,
        path,
        kind,
        exported ? 1 : 0,
        ...packRange(range),
        ...packRange(nameRange),
      ],
    ),
    symbolTokens ?? null,
    chunks.map(({ id, startLine, endLine, symbol }): ChunkTuple => [id, startLine, endLine, symbol]),
  ];
}

function packRange({ startLine, startColumn, endLine, endColumn }: Range): PackedRange {
  return [startLine, startColumn, endLine, endColumn];
}

function unpackDetails(path: string, bytes: Uint8Array): RecordDetails {
  const [symbols, symbolTokens, chunks] = parseRecord<DetailTuples>(
    Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('utf8'),
  );
  return {
    symbols: symbols.map(([name, symbolPath, kind, exported, ...positions]) => ({
      name,
      path: symbolPath,
      kind,
      range: readRange(positions, 0),
      nameRange: readRange(positions, 4),
      exported: exported === 1,
    })),
    symbolTokens: symbolTokens ?? undefined,
    chunks: chunks.map(([id, startLine, endLine, symbol]) => ({ id, path, startLine, endLine, symbol })),
  };
}

/** The range that four of the numbers describe, the first of them at `index`. */
function readRange(numbers: readonly number[], index: number): Range {
  return {
    startLine: numbers[index]!,
    startColumn: numbers[index + 1]!,
    endLine: numbers[index + 2]!,
    endColumn: numbers[index + 3]!,
  };
}

/** Converts a value to deflated JSON. */
export function pack(value: unknown): Uint8Array {
  return deflateRawSync(JSON.stringify(value), { level: DEFLATE_LEVEL });
}

/** The value in deflated JSON. Throws `damaged` for bytes that `pack` did not write. */
export function unpack<T>(bytes: Uint8Array): T {
  try {
    return JSON.parse(inflateRawSync(bytes).toString('utf8')) as T;
  } catch (cause) {
    throw new SelfwareError('damaged', 'A record of the catalogue cannot be read.', { cause });
  }
}

function parseRecord<T>(text: string): T {
  try {
    return JSON.parse(text) as T;
  } catch (cause) {
    throw new SelfwareError('damaged', 'A record of the catalogue cannot be read.', { cause });
  }
}
