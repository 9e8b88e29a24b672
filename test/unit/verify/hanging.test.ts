// Tests that do not end, and people who do not wait: nobody is left behind.

import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { isAlive, until } from '../../adapters/sandbox/sandboxOf.ts';
import { edit, told, verifying, type Verifying } from './verifying.ts';

/** Writes its number and that of a grandchild, which ignores SIGTERM and holds the output open, to a file; hangs when told to. */
const hanging = (trace: string) => `
import { spawn } from 'node:child_process';
import { appendFileSync, readFileSync } from 'node:fs';
if (readFileSync('mode.txt', 'utf8') === 'hang') {
  const stubborn = "process.on('SIGTERM', () => {}); setInterval(() => {}, 1000); process.stdout.write('ready');";
  const child = spawn(process.execPath, ['-e', stubborn], { stdio: ['ignore', 'pipe', 'inherit'] });
  child.stdout.once('data', () => appendFileSync(${JSON.stringify(trace)}, process.pid + ' ' + child.pid + '\\n'));
  setInterval(() => {}, 1000);
} else console.log('TAP version 13\\nok 1 - ends\\n1..1');
`;

async function hangs(mode: string): Promise<Verifying & { pids(): number[] }> {
  const given = await verifying({ 'mode.txt': mode });
  const trace = join(given.stateDir, 'pids');
  await given.repository.write('hang.mjs', hanging(trace));
  return { ...given, [Symbol.asyncDispose]: given[Symbol.asyncDispose], pids: () => (existsSync(trace) ? readFileSync(trace, 'utf8').trim().split(/\s+/).map(Number) : []) };
}

const settings = { testCommand: 'node hang.mjs', timeoutSeconds: 4 };

test('tests that hang with and without the change are unknown, and no process is left', async () => {
  await using given = await hangs('hang');
  const verification = await given.verify([edit('other.txt', null, 'x\n')], { settings });
  expect(told(verification)[5]).toMatch(/^tests unknown: The tests were ended after \d+ s\.$/);
  expect(verification.verdicts[5]?.evidence['exitCode']).toBeNull();
  expect(given.pids()).toHaveLength(4);
  await until(() => given.pids().every((pid) => !isAlive(pid)));
});

test('tests that hang only with the change fail', async () => {
  await using given = await hangs('end');
  const verification = await given.verify([edit('mode.txt', 'end', 'hang')], { settings: { ...settings, timeoutSeconds: 12 } });
  expect(told(verification).at(-1)).toMatch(/^tests failed: The tests do not end with the change: stopped after \d+ s, and without it they take \d s\.$/);
  await until(() => given.pids().every((pid) => !isAlive(pid)));
});

test('cancelling in the middle of the tests ends them and removes the sandboxes', async () => {
  await using given = await hangs('hang');
  const cancel = new AbortController();
  const verification = given.verify([edit('other.txt', null, 'x\n')], { settings: { ...settings, timeoutSeconds: 300 } }, cancel.signal);
  await until(() => given.pids().length === 2);
  cancel.abort();
  await expect(verification).rejects.toMatchObject({ reason: 'cancelled' });
  await until(() => given.pids().every((pid) => !isAlive(pid)));
});

test('cancelled before the start, nothing is opened', async () => {
  await using given = await hangs('end');
  await given.verify([edit('a', null, 'b')]);
  await expect(given.verify([edit('a', null, 'b')], {}, AbortSignal.abort())).rejects.toMatchObject({ reason: 'cancelled' });
});
