// Run as a process of its own: opens a sandbox, starts a command that never ends, prints where it is, waits.

import { createSandbox } from '../../../server/src/adapters/sandbox/sandbox.ts';
import { createIds, systemClock } from '../../../server/src/adapters/system/system.ts';

const [rootDir = '', stateDir = ''] = process.argv.slice(2);
const never = new AbortController().signal;
const sandbox = createSandbox(rootDir, stateDir, {
  clock: systemClock,
  ids: createIds(systemClock),
  log: { write: () => undefined },
});
const worktree = await sandbox.open(never);
void worktree.run(
  {
    command: [
      'node',
      '-e',
      "require('node:fs').writeFileSync('pid', String(process.pid)); setInterval(() => {}, 1000)",
    ],
    timeoutMs: 600_000,
  },
  never,
);
while (!(await worktree.read('pid'))) await new Promise((resolve) => setTimeout(resolve, 20));
process.stdout.write(`${worktree.dir}\n`);
