// Child process of lock.test.ts: on each line from its parent it tries to take the lock, says so, and keeps what it
// got.

import { createInterface } from 'node:readline';
import { createLock } from '../../../server/src/adapters/files/lock.ts';

const lock = createLock(process.argv[2] ?? '');
let held: { release(): Promise<void> } | null = null;

process.stdout.write('ready\n');
for await (const line of createInterface({ input: process.stdin })) {
  if (line === 'acquire') {
    held = await lock.acquire('apply');
    process.stdout.write(held ? 'held\n' : 'refused\n');
  } else if (line === 'release') {
    await held?.release();
    process.stdout.write('released\n');
  }
}
