// Where the kernel limits nobody's processes, a process of ours counts them, and ends a command that has too many.

import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { expect, test } from 'vitest';
import { limitTasks, startCounting } from '../../../server/src/adapters/sandbox/taskCounter.ts';

const LIMIT = 60;
const NAMESPACE = ['unshare', '--user', '--map-root-user', '--pid', '--fork', '--mount-proc', '--kill-child', '--'];
/** Twice the limit, then it says so and ends, so that a counter that does not work costs the machine nothing. */
const PROCESSES = `i=0; while [ $i -lt ${2 * LIMIT} ]; do sleep 20 & i=$((i+1)); done; wait; exit 3`;
const SESSIONS = PROCESSES.replace('sleep', 'env -i setsid sleep');
const THREADS = `node -e 'const { Worker } = require("node:worker_threads");
let left = ${LIMIT};
for (let i = 0; i < ${LIMIT}; i += 1)
  new Worker("setTimeout(() => {}, 20_000)", { eval: true, resourceLimits: { maxOldGenerationSizeMb: 8 } })
    .on("error", () => {}).on("exit", () => (left -= 1) > 0 || process.exit(3))'`;

const namespaces =
  process.platform === 'linux' && spawnSync(NAMESPACE[0]!, [...NAMESPACE.slice(1), 'true']).status === 0;

/** How the command ended, and what the counter says of it. */
async function counted(line: string, inNamespace: boolean) {
  await startCounting();
  const [program = '', ...args] = [...(inNamespace ? NAMESPACE : []), '/bin/sh', '-c', line];
  const child = spawn(program, args, { detached: true, stdio: 'ignore' });
  const counting = limitTasks(child.pid ?? 0, LIMIT);
  const [code, signal] = (await once(child, 'exit')) as [number | null, string | null];
  return { code, signal, ended: await counting.stop() };
}

const ENDED = { code: null, signal: 'SIGKILL', ended: true };
const linux = process.platform === 'linux' ? ([PROCESSES, THREADS] as const) : [];
const isolated = namespaces ? ([PROCESSES, SESSIONS, THREADS] as const) : [];

test.each(linux)('too many in a group of processes are ended: %s', async (line) => {
  expect(await counted(line, false)).toEqual(ENDED);
});

test.each(isolated)('too many in a namespace of processes are ended: %s', async (line) => {
  expect(await counted(line, true)).toEqual(ENDED);
});

test.each(process.platform === 'linux' ? [false, ...(namespaces ? [true] : [])] : [])(
  'fewer are left alone, beside another command that has too many; namespace: %s',
  async (inNamespace) => {
    const few = `i=0; while [ $i -lt ${LIMIT / 4} ]; do sleep 1 & i=$((i+1)); done; wait; exit 7`;
    const [one, other] = await Promise.all([counted(few, inNamespace), counted(PROCESSES, inNamespace)]);
    expect(one).toEqual({ code: 7, signal: null, ended: false });
    expect(other).toEqual(ENDED);
  },
);
