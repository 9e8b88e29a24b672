// The byte format of an index image: numbers of variable length, sections, and a checksum over everything.

import { createHash } from 'node:crypto';

/** Length of a SHA-256 hash in bytes. */
const CHECKSUM_BYTES = 32;
/** LEB128 stores seven bits of a number per byte, the lowest first. */
const SEVEN_BITS = 0x7f;
/** In LEB128, this bit of a byte is set if more bytes of the number follow. */
const CONTINUATION_BIT = 0x80;

/** Writes numbers below 2^32; small ones take one byte (LEB128). */
export interface NumberWriter {
  write(number: number): void;
  /** The bytes that were written so far. */
  bytes(): Uint8Array;
}

/** A writer with no bytes yet. */
export function createNumberWriter(): NumberWriter {
  let bytes = new Uint8Array(65_536);
  let offset = 0;
  return {
    write(number) {
      if (offset + 5 > bytes.length) {
        const larger = new Uint8Array(bytes.length * 2);
        larger.set(bytes);
        bytes = larger;
      }
      let remaining = number;
      while (remaining > SEVEN_BITS) {
        bytes[offset++] = (remaining & SEVEN_BITS) | CONTINUATION_BIT;
        remaining >>>= 7;
      }
      bytes[offset++] = remaining;
    },
    bytes: () => bytes.subarray(0, offset),
  };
}

/** Reads numbers that a `NumberWriter` wrote, in the same order. */
export interface NumberReader {
  read(): number;
}

/** Reads numbers from bytes. The end of the bytes is not checked, so their checksum must have been verified. */
export function createNumberReader(bytes: Uint8Array): NumberReader {
  let offset = 0;
  return {
    read() {
      let byte = bytes[offset++]!;
      if (byte < CONTINUATION_BIT) return byte;
      let number = byte & SEVEN_BITS;
      for (let shift = 7; byte >= CONTINUATION_BIT; shift += 7) {
        byte = bytes[offset++]!;
        number |= (byte & SEVEN_BITS) << shift;
      }
      return number >>> 0;
    },
  };
}

/**
 * Joins sections to one array: the SHA-256 hash of the version and of all bytes after the hash, the number of sections,
 * their lengths, and the sections. Numbers take four bytes, the lowest byte first.
 */
export function sealSections(version: string, sections: readonly Uint8Array[]): Uint8Array {
  const start = CHECKSUM_BYTES + 4 + sections.length * 4;
  const bytes = new Uint8Array(sections.reduce((sum, { length }) => sum + length, start));
  const view = new DataView(bytes.buffer);
  view.setUint32(CHECKSUM_BYTES, sections.length, true);
  let index = start;
  sections.forEach((section, number) => {
    view.setUint32(CHECKSUM_BYTES + 4 + number * 4, section.length, true);
    bytes.set(section, index);
    index += section.length;
  });
  bytes.set(computeChecksum(version, bytes.subarray(CHECKSUM_BYTES)));
  return bytes;
}

/** The sections; null if `sealSections` did not make these bytes with this version. */
export function unsealSections(version: string, bytes: Uint8Array): readonly Uint8Array[] | null {
  if (bytes.length < CHECKSUM_BYTES + 4) return null;
  const checksum = computeChecksum(version, bytes.subarray(CHECKSUM_BYTES));
  if (!checksum.every((value, index) => value === bytes[index])) return null;
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const count = view.getUint32(CHECKSUM_BYTES, true);
  let offset = CHECKSUM_BYTES + 4 + count * 4;
  return Array.from({ length: count }, (_, number) => {
    const length = view.getUint32(CHECKSUM_BYTES + 4 + number * 4, true);
    offset += length;
    return bytes.subarray(offset - length, offset);
  });
}

function computeChecksum(version: string, body: Uint8Array): Uint8Array {
  return createHash('sha256').update(version).update(body).digest();
}
