// Records of files as rows: what every start needs in columns, the rest compressed and read when somebody first asks for it.

import { crc32, deflateRawSync, inflateRawSync } from 'node:zlib';
import type { FileRecord } from '../../core/indexPorts.ts';
import { SelfwareError } from '../../util/typedError.ts';

/** Fast, and still five times smaller than the JSON. */
const DEFLATE_LEVEL = 1;

/** Columns of a record, `checksum` over `rest`. */
export interface RecordRow {
  readonly path: string;
  readonly hash: string;
  readonly size: number;
  readonly mtime_ms: number;
  /** JSON of what is small: [language, tokens, imports, generated, trouble]. */
  readonly facts: string;
  readonly checksum: number;
  readonly rest: Uint8Array;
}

type Facts = readonly [FileRecord['language'], number, readonly string[], boolean, FileRecord['trouble']];
type Rest = Pick<FileRecord, 'symbols' | 'symbolTokens' | 'chunks'>;

export function toRow({ path, hash, size, mtimeMs, language, tokens, imports, generated, trouble, ...rest }: FileRecord): RecordRow {
  const packed = pack(rest);
  return { path, hash, size, mtime_ms: mtimeMs, facts: JSON.stringify([language, tokens, imports, generated, trouble] satisfies Facts), checksum: crc32(packed), rest: packed };
}

/** Throws `damaged` for a row that was not written like this; so whatever is read later can be read. */
export function fromRow({ path, hash, size, mtime_ms, facts, checksum, rest }: RecordRow): FileRecord {
  if (crc32(rest) !== checksum) throw new SelfwareError('damaged', 'A record of the catalogue is damaged.');
  const [language, tokens, imports, generated, trouble] = parsed<Facts>(facts);
  let bytes: Uint8Array | null = rest;
  let unpacked: Rest | null = null;
  const read = (): Rest => {
    if (bytes) [unpacked, bytes] = [unpack<Rest>(bytes), null];
    return unpacked!;
  };
  // Own and enumerable, so that a copy of the record has them too.
  return {
    path,
    size,
    mtimeMs: mtime_ms,
    hash,
    language,
    tokens,
    get symbols() {
      return read().symbols;
    },
    get symbolTokens() {
      return read().symbolTokens;
    },
    get chunks() {
      return read().chunks;
    },
    imports,
    generated,
    trouble,
  };
}

export function pack(value: unknown): Uint8Array {
  return deflateRawSync(JSON.stringify(value), { level: DEFLATE_LEVEL });
}

/** Throws `damaged` for bytes that `pack` did not write. */
export function unpack<T>(bytes: Uint8Array): T {
  try {
    return JSON.parse(inflateRawSync(bytes).toString('utf8')) as T;
  } catch (cause) {
    throw new SelfwareError('damaged', 'A record of the catalogue cannot be read.', { cause });
  }
}

function parsed<T>(text: string): T {
  try {
    return JSON.parse(text) as T;
  } catch (cause) {
    throw new SelfwareError('damaged', 'A record of the catalogue cannot be read.', { cause });
  }
}
