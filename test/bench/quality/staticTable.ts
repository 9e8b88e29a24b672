// The shipped table of terms, from a file.

import type { TermTable } from '../../../server/src/core/indexPorts.ts';

export async function loadStaticTable(file: string): Promise<TermTable> {
  throw new Error(`No table is shipped yet: ${file}`);
}
