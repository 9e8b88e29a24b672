// The hash by which contents are told apart.

import { createHash } from 'node:crypto';

/** sha-256 of the bytes, in hex. */
export function hashOf(bytes: Uint8Array): string {
  return createHash('sha256').update(bytes).digest('hex');
}
