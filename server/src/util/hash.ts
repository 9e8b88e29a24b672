// Computes the hash that identifies contents.

import { hash } from 'node:crypto';

/**
 * SHA-256 of bytes, or of a text as UTF-8, in hexadecimal. The one-shot function is used, because it takes half the
 * time of an incremental hash for texts of the size of a chunk.
 */
export function sha256(content: Uint8Array | string): string {
  return hash('sha256', content, 'hex');
}
