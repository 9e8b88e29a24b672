// Computes fingerprints of a token stream by winnowing (Schleimer, Wilkerson, Aiken, "Winnowing: local algorithms for
// document fingerprinting", SIGMOD 2003).

import type { Tokens } from './lexer.ts';

/** Number of tokens that one fingerprint covers. */
export const GRAM_LENGTH = 24;
/** Window size of winnowing: of so many consecutive grams, at least one fingerprint is kept. */
const WINDOW_LENGTH = 41;
/** Number of consecutive tokens from which two texts that share them are guaranteed to share a fingerprint. */
export const GUARANTEED_TOKENS = GRAM_LENGTH + WINDOW_LENGTH - 1;
/** Multiplier of the rolling hash; odd, so that it is a bijection modulo 2³². */
const HASH_BASE = 0x2c9277b5;
/** Maximum number of fingerprints of one file. A file with more is unlikely to be maintained by hand. */
const MAX_FINGERPRINTS = 20_000;

/** The fingerprints of a text, in its order: the hash of each, and the index of its first token. */
export interface Fingerprints {
  readonly hashes: Uint32Array;
  readonly tokens: Uint32Array;
}

/**
 * The fingerprints as text: Base64 of four bytes for each hash, and one or two for its distance from the previous one:
 * about 5 % of the source. Empty if the text is too short.
 */
export function encodeFingerprints({ count, hashes }: Tokens): string {
  if (count < GUARANTEED_TOKENS) return '';
  const gramCount = count - GRAM_LENGTH + 1;
  const gramHashes = new Uint32Array(gramCount);
  let leadingFactor = 1;
  for (let step = 1; step < GRAM_LENGTH; step++) leadingFactor = Math.imul(leadingFactor, HASH_BASE);
  let value = 0;
  for (let index = 0; index < count; index++) {
    if (index >= GRAM_LENGTH) value = (value - Math.imul(hashes[index - GRAM_LENGTH]!, leadingFactor)) | 0;
    value = (Math.imul(value, HASH_BASE) + hashes[index]!) | 0;
    if (index >= GRAM_LENGTH - 1) gramHashes[index - GRAM_LENGTH + 1] = mixBits(value);
  }
  const bytes: number[] = [];
  let pickedIndex = -1;
  let lastEncodedIndex = 0;
  let fingerprintCount = 0;
  for (let end = WINDOW_LENGTH - 1; end < gramCount && fingerprintCount < MAX_FINGERPRINTS; end++) {
    // Picks the rightmost minimum of the window. Robust winnowing keeps the previous pick as long as it is as small.
    if (pickedIndex > end - WINDOW_LENGTH) {
      if (gramHashes[end]! >= gramHashes[pickedIndex]!) continue;
      pickedIndex = end;
    } else {
      pickedIndex = end - WINDOW_LENGTH + 1;
      for (let position = pickedIndex + 1; position <= end; position++)
        if (gramHashes[position]! <= gramHashes[pickedIndex]!) pickedIndex = position;
    }
    const hash = gramHashes[pickedIndex]!;
    bytes.push(hash & 255, (hash >>> 8) & 255, (hash >>> 16) & 255, hash >>> 24);
    let distance = pickedIndex - lastEncodedIndex;
    while (distance > 127) {
      bytes.push((distance & 127) | 128);
      distance >>>= 7;
    }
    bytes.push(distance);
    lastEncodedIndex = pickedIndex;
    fingerprintCount++;
  }
  return btoa(bytesToText(bytes));
}

/** Decodes the text that `encodeFingerprints` returned. Of damaged data, returns the part that can be read. */
export function decodeFingerprints(base64: string): Fingerprints {
  const bytes = base64 === '' ? '' : atob(base64);
  const hashes: number[] = [];
  const tokens: number[] = [];
  let token = 0;
  for (let offset = 0; offset + 4 < bytes.length; ) {
    hashes.push(
      (bytes.charCodeAt(offset) |
        (bytes.charCodeAt(offset + 1) << 8) |
        (bytes.charCodeAt(offset + 2) << 16) |
        (bytes.charCodeAt(offset + 3) << 24)) >>>
        0,
    );
    offset += 4;
    let shift = 0;
    let byte = 128;
    while (byte & 128 && offset < bytes.length) {
      byte = bytes.charCodeAt(offset++);
      token += (byte & 127) << shift;
      shift += 7;
    }
    tokens.push(token);
  }
  return { hashes: Uint32Array.from(hashes), tokens: Uint32Array.from(tokens) };
}

/**
 * Spreads the bits, so that hashes of no token are systematically small (finaliser of MurmurHash3, by Austin Appleby,
 * public domain).
 */
function mixBits(value: number): number {
  let hash = value ^ (value >>> 16);
  hash = Math.imul(hash, 0x85ebca6b);
  hash ^= hash >>> 13;
  hash = Math.imul(hash, 0xc2b2ae35);
  return (hash ^ (hash >>> 16)) >>> 0;
}

/**
 * A string with one character for each byte, which `btoa` expects. Built in parts, because a call takes a limited
 * number of arguments.
 */
function bytesToText(bytes: readonly number[]): string {
  let text = '';
  for (let offset = 0; offset < bytes.length; offset += 4096)
    text += String.fromCharCode(...bytes.slice(offset, offset + 4096));
  return text;
}
