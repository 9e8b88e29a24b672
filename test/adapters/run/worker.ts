// Run as a process of its own, as the worker of a supervisor: behaves as its argument says.

import { spawn } from 'node:child_process';
import { appendFileSync, readFileSync } from 'node:fs';
import { sendBeats } from '../../../server/src/adapters/run/heartbeat.ts';
import { WORKER_EXIT } from '../../../server/src/core/run/supervision.ts';

const [how = '', file = ''] = process.argv.slice(2);
const forever = setInterval(() => undefined, 60_000);
let done = 0;

/** Something that only this worker's run has in its command line. */
const sleeper = (isDetached: boolean) =>
  spawn(process.execPath, ['-e', 'setInterval(() => 0, 60000)', file], { stdio: 'ignore', detached: isDetached });

if (how === 'deaf, with children') {
  process.on('SIGTERM', () => undefined);
  sleeper(false);
  sleeper(true);
} else if (how === 'orderly') {
  sleeper(false);
  process.on('SIGTERM', () => process.exit(143));
} else if (how === 'with a child') {
  sleeper(false);
}

sendBeats({
  step: () => ({ step: 'counting', done: how === 'stuck' ? 0 : (done += 1) }),
  intervalMs: 100,
  onDrain: () => {
    clearInterval(forever);
    process.exitCode = WORKER_EXIT.drained;
  },
});
appendFileSync(file, `${process.pid}\n`);

if (how === 'blocked') Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0);
if (how === 'crashes') process.exit(7);
if (how === 'finishes') clearInterval(forever);
if (how === 'needs a person') process.exit(WORKER_EXIT.needsPerson);
if (how === 'crashes three times') {
  if (readFileSync(file, 'utf8').trim().split('\n').length <= 3) process.exit(7);
  clearInterval(forever);
}
