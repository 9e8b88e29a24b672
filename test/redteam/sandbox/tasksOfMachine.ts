// Counts the processes and threads of the whole machine while an attack runs, on a thread of its own.

import { once } from 'node:events';
import { Worker } from 'node:worker_threads';

const EVERY_MS = 5;

/** The number beside the load (proc_loadavg(5)), as text. */
const COUNT = `const { readFileSync } = require('node:fs');
const { parentPort, workerData } = require('node:worker_threads');
const now = () => Number(/\\/(\\d+) /.exec(readFileSync('/proc/loadavg', 'utf8'))[1]);
const first = now();
for (Atomics.store(workerData, 1, first); Atomics.load(workerData, 2) === 0; Atomics.wait(workerData, 2, 0, ${EVERY_MS}))
  Atomics.store(workerData, 0, Math.max(Atomics.load(workerData, 0), now() - first));`;

export interface TasksOfMachine {
  /** How many more there were at most than in the beginning. Ends the counting. */
  grown(): Promise<number>;
}

export async function tasksOfMachine(): Promise<TasksOfMachine> {
  if (process.platform !== 'linux') return { grown: async () => 0 };
  const shared = new Int32Array(new SharedArrayBuffer(12));
  const worker = new Worker(COUNT, { eval: true, workerData: shared });
  await once(worker, 'online');
  while (Atomics.load(shared, 1) === 0) await new Promise((resolve) => setImmediate(resolve));
  return {
    async grown() {
      const ended = once(worker, 'exit');
      Atomics.store(shared, 2, 1);
      Atomics.notify(shared, 2);
      await ended;
      return Atomics.load(shared, 0);
    },
  };
}
