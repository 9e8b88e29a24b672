// A process that is started apart is not below the one that started it, so that an editor's servers for agents are not
// mistaken for what has started it.

import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { startDetached } from '../../../server/src/adapters/run/detached.ts';

let folder: string;
beforeEach(async () => (folder = await mkdtemp(join(tmpdir(), 'selfware-apart-'))));
afterEach(() => rm(folder, { recursive: true, force: true }));

/** Starts a script that says who it is and what it was given. */
async function said(viaLauncher: boolean, args: readonly string[]) {
  const [script, logFile] = [join(folder, 'says.mjs'), join(folder, 'log')];
  await writeFile(
    script,
    'console.log(JSON.stringify({ pid: process.pid, parent: process.ppid, args: process.argv.slice(2) }));\n',
  );
  const pid = await startDetached({ args, cwd: folder, env: process.env, logFile, script, viaLauncher });
  for (;;) {
    const text = await readFile(logFile, 'utf8');
    if (text.endsWith('\n')) return { pid, told: JSON.parse(text) };
    await sleep(20);
  }
}

const args = ['supervise', '--set', 'verify.testCommand="a \'b\' $c"', ''];

test('its id is told, its arguments arrive as they are, and its parent is another process', async () => {
  const { pid, told } = await said(true, args);
  expect(told).toMatchObject({ pid, args });
  expect(told.parent).not.toBe(process.pid);
});

test('otherwise it is below the process that starts it', async () => {
  const { pid, told } = await said(false, args);
  expect(told).toEqual({ pid, parent: process.pid, args });
});
