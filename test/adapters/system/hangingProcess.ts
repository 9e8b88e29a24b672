// Run as a process of its own: hangs in the way that its argument names, listens to signals, and says when it hangs.

import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Worker } from 'node:worker_threads';
import { createGitRunner } from '../../../server/src/adapters/git/runGit.ts';
import { startHandlingSignals } from '../../../server/src/adapters/system/gracefulShutdown.ts';
import { createWorkerJobs } from '../../../server/src/adapters/workers/workerJobs.ts';

const [how = '', bound = '4000'] = process.argv.slice(2);
const ending = startHandlingSignals(Number(bound));

if (how === 'job in a loop') {
  const jobs = createWorkerJobs({ entry: new URL('../workers/entries/trickyWorker.ts', import.meta.url), threads: 1 });
  ending.signal.addEventListener(
    'abort',
    () => void jobs.close().then(() => (process.exitCode = ending.exitCode ?? 1)),
  );
  setTimeout(() => process.stdout.write('hangs\n'), 300);
  await jobs.run('syntax', { path: 'a.ts', text: 'hang', earlier: null }, ending.signal).catch(() => undefined);
} else if (how === 'thread in a system call') {
  const pipe = join(mkdtempSync(join(tmpdir(), 'selfware-pipe-')), 'pipe');
  execFileSync('mkfifo', [pipe]);
  const worker = new Worker(
    `const { workerData, parentPort } = require('node:worker_threads'); parentPort.postMessage(0); require('node:fs').readFileSync(workerData);`,
    { eval: true, workerData: pipe },
  );
  // Its message comes before the call.
  worker.once('message', () => setTimeout(() => process.stdout.write('hangs\n'), 300));
  ending.signal.addEventListener('abort', () => void worker.terminate());
} else if (how === 'git that is hung up') {
  const dir = mkdtempSync(join(tmpdir(), 'selfware-group-'));
  // The shell ignores the signal if git does, which starts it.
  execFileSync('git', ['init', '-q', dir]);
  execFileSync('git', ['-C', dir, 'config', 'alias.hangup', '!kill -HUP $$; echo survived']);
  const said = await createGitRunner(dir).text(['hangup']);
  rmSync(dir, { recursive: true });
  ending.dispose();
  process.stdout.write(said);
} else {
  if (how === 'deaf, with more time') ending.allow(700);
  if (how === 'deaf, and says its signals')
    for (const signal of ['SIGTERM', 'SIGHUP'] as const) process.on(signal, () => process.stdout.write(`${signal}\n`));
  if (how === 'deaf, and says its first Ctrl+C') process.once('SIGINT', () => process.stdout.write('SIGINT\n'));
  // Nothing that runs here listens.
  setInterval(() => undefined, 1_000);
  process.stdout.write('hangs\n');
}
