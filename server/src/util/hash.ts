// The hash that identifies contents.

import { hash } from 'node:crypto';

/**
 * sha-256 of bytes, or of a text as UTF-8, in hex. At once: for texts of the size of a chunk that takes half of what a
 * hash that grows piece by piece does.
 */
export function hashOf(content: Uint8Array | string): string {
  return hash('sha256', content, 'hex');
}
