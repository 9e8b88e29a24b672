// A process that may not write large files: `node limitedProcess.ts KIND DIR`. Writes until that fails and prints
// `reason: message`.

import { join } from 'node:path';
import { createLancedbStore } from '../../../server/src/adapters/lancedb/lancedbStore.ts';
import { createLexicalStore } from '../../../server/src/adapters/lexical/lexicalStore.ts';
import { SelfwareError } from '../../../server/src/util/typedError.ts';

const [kind = '', dir = ''] = process.argv.slice(2);
const ROWS = 1_000;
const TIMES = 20;

const store =
  kind === 'lancedb'
    ? await createLancedbStore(join(dir, 'lancedb'))
    : await createLexicalStore(join(dir, 'chunks.db'));
await store.open('p', 256);
try {
  for (let time = 0; time < TIMES; time++) {
    const rows = Array.from({ length: ROWS }, (_, at) => {
      const vector = Float32Array.from({ length: 256 }, () => Math.random());
      return {
        id: `x${time}-${at}`,
        path: 'x.ts',
        startLine: 1,
        endLine: 1,
        symbol: null,
        text: '',
        terms: String(Math.random()).repeat(20),
        vector,
      };
    });
    await store.upsert(rows);
  }
  process.stdout.write('nothing failed');
} catch (error) {
  process.stdout.write(error instanceof SelfwareError ? `${error.reason}: ${error.message}` : `untyped: ${error}`);
}
await store.close();
