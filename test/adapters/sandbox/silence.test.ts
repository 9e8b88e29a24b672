// Commands that have written their last file and do not exit, because the tests left something open.

import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import type { RunRequest } from '../../../server/src/core/ports/sandbox.ts';
import { watchSilence } from '../../../server/src/adapters/sandbox/watchSilence.ts';
import { never, sandboxOf, until } from './sandboxOf.ts';
import { thoroughTest } from '../../helpers/thorough.ts';

const REPORT = 'node_modules/.selfware/report-1';
/** Lasts longer than the test may. */
const FOREVER = 'setInterval(() => {}, 1000);';
const WRITE = `const fs = require('node:fs'); fs.mkdirSync('node_modules/.selfware', { recursive: true }); fs.writeFileSync('${REPORT}', '{}');`;

const node = (script: string, more: Partial<RunRequest> = {}): RunRequest => ({
  command: ['node', '-e', script],
  timeoutMs: 120_000,
  lastFile: REPORT,
  ...more,
});

test.each([{ links: true }, {}])('a command that stays silent after its last file is ended (%j)', async (lent) => {
  const files = { 'a.txt': 'a\n', '.gitignore': 'node_modules\n' };
  await using given = await sandboxOf(files, { ...lent, limits: { silenceMs: 300 } });
  // Lent packages, below which the report is written.
  await mkdir(join(given.repository.dir, 'node_modules', 'a'), { recursive: true });
  await writeFile(join(given.repository.dir, 'node_modules', 'a', 'package.json'), '{}');
  const worktree = await given.open();
  const result = await worktree.run(node(`${WRITE} console.log('1 passed'); ${FOREVER}`), never);
  expect(result).toMatchObject({ outcome: 'timedOut', exitCode: null, stdout: '1 passed\n' });
  expect(result.stderr).toMatch(
    /Ended by Selfware: the command was silent and idle for \d+ s after it had written its report\./,
  );
  expect(new TextDecoder().decode((await worktree.read(REPORT))!)).toBe('{}');
});

test('a command that goes on printing after its last file is waited for', async () => {
  await using given = await sandboxOf({ 'a.txt': 'a\n' }, { limits: { silenceMs: 1_500 } });
  const worktree = await given.open();
  const talk =
    "let left = 30; const t = setInterval(() => { console.log('.'); if (--left === 0) clearInterval(t); }, 100);";
  expect(await worktree.run(node(`${WRITE} ${talk}`), never)).toMatchObject({ outcome: 'exited', exitCode: 0 });
});

thoroughTest('a command that goes on working in silence after its last file is waited for', async () => {
  await using given = await sandboxOf({ 'a.txt': 'a\n' }, { limits: { silenceMs: 1_000 } });
  const worktree = await given.open();
  const work = 'while (process.cpuUsage().user < 2e6);';
  const build = `${WRITE} require('node:child_process').execFileSync(process.execPath, ['-e', ${JSON.stringify(work)}]);`;
  expect(await worktree.run(node(build), never)).toMatchObject({ outcome: 'exited', exitCode: 0 });
});

test('silence before the file is written, or without such a file, ends nothing', async () => {
  await using given = await sandboxOf({ 'a.txt': 'a\n' }, { limits: { silenceMs: 300 } });
  const worktree = await given.open();
  const later = 'setTimeout(() => {}, 1500);';
  expect(await worktree.run(node(later), never)).toMatchObject({ outcome: 'exited', exitCode: 0 });
  const { lastFile: _none, ...unnamed } = node(`${WRITE} ${later}`);
  expect(await worktree.run(unnamed, never)).toMatchObject({ outcome: 'exited', exitCode: 0 });
});

test('a step that starts after the last file is waited for, though it only sleeps', async () => {
  // On a busy machine, more than two seconds pass between the last file and the next step.
  await using given = await sandboxOf({ 'a.txt': 'a\n' }, { limits: { silenceMs: 5_000 } });
  const worktree = await given.open();
  const command = [`node -e "${WRITE.replaceAll('"', "'")}" && sleep 11 && echo done`];
  expect(await worktree.run(node('', { command, shell: true }), never)).toMatchObject({
    exitCode: 0,
    stdout: 'done\n',
  });
});

test('where nobody tells what the processes do, the command is never ended', async () => {
  await using given = await sandboxOf({ report: '{}' });
  const file = join(given.repository.dir, 'report');
  let [now, asked, isEnded] = [0, 0, false];
  const stop = watchSilence(
    {
      file,
      lastOutputAt: () => 0,
      measureWork: async () => ((asked += 1), null),
      clock: { now: () => (now += 1_000) },
      silenceMs: 5,
    },
    () => (isEnded = true),
  );
  await until(() => asked > 4);
  stop();
  expect(isEnded).toBe(false);
});
