// Compares and decodes the bytes of files; null is a file that does not exist.

/** True if both are the same bytes, or both are null. */
export function haveSameBytes(bytes: Uint8Array | null, otherBytes: Uint8Array | null): boolean {
  return bytes === null || otherBytes === null ? bytes === otherBytes : Buffer.compare(bytes, otherBytes) === 0;
}

/** The text of UTF-8 bytes, including a byte-order mark; null for other bytes. */
export function decodeUtf8(bytes: Uint8Array): string | null {
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch (error) {
    if (error instanceof TypeError) return null;
    throw error;
  }
}
