// A process that appends events: `node appendEvents.ts FILE COUNT NAME`. Prints the sequences that it was given.

import { createLedgerStore } from '../../../server/src/adapters/sqlite/ledgerStore.ts';

const [file = '', count = '0', name = ''] = process.argv.slice(2);
const store = await createLedgerStore(file);
const sequences: number[] = [];
for (let number = 1; number <= Number(count); number += 1) {
  sequences.push(
    (await store.append({ id: `e-${name}-${number}`, at: number, type: 'notice', data: { name, number } })).sequence,
  );
}
await store.close();
process.stdout.write(JSON.stringify(sequences));
