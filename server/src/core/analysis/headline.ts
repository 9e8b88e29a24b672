// Puts the symbol that a message is about at its beginning, so that a narrow list shows both the symbol and the
// finding.

import { posix } from 'node:path';

/**
 * A message that begins with a name stays as it is. Any other is put after the symbol around the place, or after the
 * file if there is no symbol: "`grade`: a needless `else` after `return`".
 */
export function headline(
  message: string,
  { symbol, path }: { readonly symbol: string | null; readonly path: string },
): string {
  if (message.startsWith('`')) return message;
  const name = symbol?.split('.').at(-1);
  return `${name === undefined ? posix.basename(path) : `\`${name}\``}: ${message}`;
}
