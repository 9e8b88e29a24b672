// Run as a process of its own, as the worker of a supervisor: answers each request in a ledger once, and says by which
// version. A version whose hash begins with `bad` dies while it works on a request; `aaa`: it needs a person; `eee`: it
// says at once that the run is complete; `ddd`, `ccc`, `fff`: it does so, and whether that is so is doubtful, cannot be
// read, or is read for ever.

import { appendFileSync, existsSync, readFileSync, writeFileSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { sendBeats } from '../../../server/src/adapters/run/heartbeat.ts';
import { openLedger } from '../../../server/src/app/nights/sharedKnowledge.ts';
import { WORKER_EXIT } from '../../../server/src/core/run/supervision.ts';

const [version = '', state = '', file = ''] = process.argv.slice(2);
if (version.startsWith('aaa')) process.exit(WORKER_EXIT.needsPerson);
if (version.startsWith('eee')) process.exit(WORKER_EXIT.finished);
const end = { ddd: 'doubtful', ccc: 'fails', fff: 'hangs' }[version.slice(0, 3)];
if (end !== undefined) {
  writeFileSync(`${file}.end`, end);
  process.exit(WORKER_EXIT.finished);
}
let isDraining = false;
sendBeats({ step: () => ({ step: version, done: 0, isWaiting: true }), onDrain: () => (isDraining = true) });
const { ledger, close } = await openLedger(state, { write: () => undefined });
appendFileSync(file, `${process.pid}\n`);

const idsOf = async (type: 'wishAdded' | 'nightWish') =>
  (await ledger.query({ types: [type] })).map(({ data }) => (data as { readonly wish: string }).wish);
const answered = new Set(await idsOf('nightWish'));
// The act of a request is a line in a file. A worker that is killed between act and record leaves an act that the next
// one finds, as it finds a commit without its record.
const acts = `${file}.acts`;
const acted = new Set(existsSync(acts) ? readFileSync(acts, 'utf8').split('\n') : []);
while (!isDraining && !answered.has('last')) {
  const open = (await idsOf('wishAdded')).filter((wish) => !answered.has(wish));
  if (open.length === 0) await sleep(5);
  for (const wish of open) {
    if (isDraining) break;
    if (version.startsWith('bad')) process.exit(3);
    answered.add(wish);
    if (!acted.has(wish)) appendFileSync(acts, `${wish}\n`);
    const data = {
      night: 'n',
      run: 'r',
      wish,
      text: version,
      outcome: 'committed',
      proposal: null,
      reason: null,
    } as const;
    await ledger.record({ type: 'nightWish', data });
  }
}
await close();
process.exit(isDraining ? WORKER_EXIT.drained : WORKER_EXIT.finished);
