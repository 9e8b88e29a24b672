// Puts the symbol that a message is about at its beginning, so that a narrow list shows both the symbol and the
// finding.

import { posix } from 'node:path';

/**
 * Puts the place before a message: the symbol, or the file if there is no symbol, as in "`grade`: a needless `else`
 * after `return`". A message that begins with a backtick already begins with a name, and is returned as it is.
 */
export function prependPlace(
  message: string,
  { symbol, path }: { readonly symbol: string | null; readonly path: string },
): string {
  if (message.startsWith('`')) return message;
  const name = symbol?.split('.').at(-1);
  return `${name === undefined ? posix.basename(path) : `\`${name}\``}: ${message}`;
}
