// Messages begin with the symbol that they are about, so that a narrow list shows both the symbol and the finding.

import { posix } from 'node:path';

/**
 * A message that names something first stays as it is; any other is put behind the symbol around it, or behind the file
 * where there is none: "`grade`: a needless `else` after `return`".
 */
export function headline(
  message: string,
  { symbol, path }: { readonly symbol: string | null; readonly path: string },
): string {
  if (message.startsWith('`')) return message;
  const name = symbol?.split('.').at(-1);
  return `${name === undefined ? posix.basename(path) : `\`${name}\``}: ${message}`;
}
