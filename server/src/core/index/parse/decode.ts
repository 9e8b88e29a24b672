// Decodes the bytes of a file to text, or gives the reason why it is not text.

/**
 * The text without its byte-order mark, so that positions match those of editors, or the reason why the bytes are not
 * text.
 */
export function decodeSource(
  bytes: Uint8Array,
): { readonly text: string } | { readonly reason: 'binary' | 'not utf-8' } {
  if (isUtf16(bytes)) return { reason: 'not utf-8' };
  if (bytes.includes(0)) return { reason: 'binary' };
  try {
    return { text: new TextDecoder('utf-8', { fatal: true }).decode(bytes) };
  } catch (error) {
    if (error instanceof TypeError) return { reason: 'not utf-8' };
    throw error;
  }
}

function isUtf16(bytes: Uint8Array): boolean {
  return (bytes[0] === 0xff && bytes[1] === 0xfe) || (bytes[0] === 0xfe && bytes[1] === 0xff);
}
