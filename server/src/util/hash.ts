// Computes the hash that identifies contents.

import { hash } from 'node:crypto';

/**
 * sha-256 of bytes or of a text as UTF-8, in hex. One call: for chunk-sized texts, it takes half the time of an
 * incremental hash.
 */
export function sha256(content: Uint8Array | string): string {
  return hash('sha256', content, 'hex');
}
