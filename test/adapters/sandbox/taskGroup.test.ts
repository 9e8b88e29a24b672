// A group of the kernel limits the processes and threads of a command, and ends all of them. Who may make none has
// none.

import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { makeTaskGroup } from '../../../server/src/adapters/sandbox/taskGroup.ts';
import { until } from './sandboxOf.ts';

const LIMIT = 20;
/** Where this user may make no group, everything else about limits is in the red team. */
const possible = makeTaskGroup(LIMIT);
await possible?.close();

test('a command may start as many as the group allows, and no more', async () => {
  const group = makeTaskGroup(LIMIT);
  if (group === null) return expect(possible).toBeNull();
  const [program, ...args] = group.wrap(['node', '-e', FILL]);
  const child = spawn(program, args, { stdio: ['ignore', 'pipe', 'inherit'] });
  try {
    const [said] = (await once(child.stdout, 'data')) as [Buffer];
    expect(said.toString()).toBe('EAGAIN\n');
    expect(group.countTasks()).toBe(LIMIT);
    expect(group.hasRefused()).toBe(true);
  } finally {
    group.end();
    await group.close();
  }
});

test('whoever is in it is ended, in a session of its own too; nobody can start there; then it is gone', async () => {
  const group = makeTaskGroup(LIMIT);
  if (group === null) return expect(possible).toBeNull();
  const sessions = 'for i in 1 2 3; do env -i setsid sleep 600 & done; wait';
  const [program, ...args] = group.wrap(['/bin/sh', '-c', sessions]);
  const child = spawn(program, args, { stdio: 'ignore' });
  const ended = once(child, 'exit');
  await until(() => (group.countTasks() ?? 0) >= 4);
  group.end();
  await ended;
  await until(() => group.countTasks() === 0);
  const [shell, ...rest] = group.wrap(['/bin/sh', '-c', 'cat /proc/self/cgroup']);
  // A process that is there already may enter; it can start nobody.
  expect(spawnSync(shell, rest, { encoding: 'utf8' }).stdout).not.toContain('selfware-');
  await group.close();
  expect(group.countTasks()).toBeNull();
});

test('a command outside of the group is not counted, and ours is where it was', async () => {
  const before = readFileSync('/proc/self/cgroup', 'utf8');
  const group = makeTaskGroup(LIMIT);
  if (group === null) return expect(possible).toBeNull();
  spawnSync('/bin/true');
  expect(group.countTasks()).toBe(0);
  expect(group.hasRefused()).toBe(false);
  await group.close();
  expect(readFileSync('/proc/self/cgroup', 'utf8')).toBe(before);
});

/** Starts programs until the kernel refuses one, and says how. */
const FILL = `const { spawn } = require('node:child_process');
for (;;) {
  try {
    if (spawn('sleep', ['600'], { stdio: 'ignore' }).on('error', ({ code }) => said(code)).pid === undefined) break;
  } catch ({ code }) { said(code); break; }
}
function said(code) { if (!said.once) console.log(code); said.once = true; }`;
