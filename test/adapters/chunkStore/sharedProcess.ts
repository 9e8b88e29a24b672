// A process that writes chunks into a shared place: `node sharedProcess.ts PLACE NAME COUNT`. Rows named `common…` are
// written by everyone.

import { createLancedbStore } from '../../../server/src/adapters/lancedb/lancedbStore.ts';

const [place = '', name = '', count = '0'] = process.argv.slice(2);
const store = await createLancedbStore(place);
await store.open('p', 2);
for (let at = 0; at < Number(count); at++) {
  const rows = [`${name}${at}`, `common${at}`].map((id) => ({
    id,
    path: `${id}.ts`,
    startLine: 1,
    endLine: 1,
    symbol: null,
    text: '',
    terms: `word ${id}`,
    vector: Float32Array.from([1, 0]),
  }));
  await store.upsert(rows);
  process.stdout.write(`${at}\n`);
}
await store.close();
