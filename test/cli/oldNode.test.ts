// On a machine whose own Node is too old, the command line runs with the one that npm has brought.

import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { afterAll, expect, test } from 'vitest';

const root = join(import.meta.dirname, '..', '..');
const folder = mkdtempSync(join(tmpdir(), 'sw-old-node-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** This process only believes that it is old: what it starts is not. */
const old = join(folder, 'old.mjs');
writeFileSync(old, "Object.defineProperty(process.versions, 'node', { value: '20.20.2' });\n");
const asOld = ['--import', pathToFileURL(old).href];

test('the command runs all the same, with its arguments', () => {
  const version = execFileSync(process.execPath, [join(root, 'dist', 'cli.js'), '--version'], { encoding: 'utf8' });
  expect(execFileSync(process.execPath, [...asOld, join(root, 'dist', 'cli.js'), '--version'], { encoding: 'utf8' })).toBe(version);
});

const runner = join(folder, 'runner.ts');
writeFileSync(runner, `import { runWith } from ${JSON.stringify(pathToFileURL(join(root, 'server/src/cli/newerNode.ts')).href)};\nprocess.exitCode = await runWith(process.execPath, process.argv.slice(2));\n`);

test('exit codes come through', async () => {
  const [code] = (await once(spawn(process.execPath, [runner, '-e', 'process.exit(3)']), 'close')) as [number];
  expect(code).toBe(3);
});

test('a signal to the command reaches what runs, which may end in its own way', async () => {
  const child = spawn(process.execPath, [runner, '-e', "process.on('SIGTERM', () => process.exit(7)); setInterval(() => {}, 1000); console.log('runs')"]);
  await once(child.stdout, 'data');
  child.kill('SIGTERM');
  const [code] = (await once(child, 'close')) as [number];
  expect(code).toBe(7);
});

test('what a signal has ended says so', async () => {
  const [code] = (await once(spawn(process.execPath, [runner, '-e', "process.kill(process.pid, 'SIGKILL'); setInterval(() => {}, 1000)"]), 'close')) as [number];
  expect(code).toBe(137);
});
