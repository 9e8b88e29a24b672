// On a machine whose own Node is too old, the command line runs with the one that npm has brought.

import { execFileSync, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
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
  expect(
    execFileSync(process.execPath, [...asOld, join(root, 'dist', 'cli.js'), '--version'], { encoding: 'utf8' }),
  ).toBe(version);
});

const runner = join(folder, 'runner.ts');
writeFileSync(
  runner,
  `import { runWithNode } from ${JSON.stringify(pathToFileURL(join(root, 'server/src/cli/newerNode.ts')).href)};\nprocess.exitCode = await runWithNode(process.execPath, process.argv.slice(2));\n`,
);

test('exit codes come through', async () => {
  const [code] = (await once(spawn(process.execPath, [runner, '-e', 'process.exit(3)']), 'close')) as [number];
  expect(code).toBe(3);
});

test('a signal to the command reaches what runs, which may end in its own way', async () => {
  const child = spawn(process.execPath, [
    runner,
    '-e',
    "process.on('SIGTERM', () => process.exit(7)); setInterval(() => {}, 1000); console.log('runs')",
  ]);
  await once(child.stdout, 'data');
  child.kill('SIGTERM');
  const [code] = (await once(child, 'close')) as [number];
  expect(code).toBe(7);
});

test('what a signal has ended says so', async () => {
  const [code] = (await once(
    spawn(process.execPath, [runner, '-e', "process.kill(process.pid, 'SIGKILL'); setInterval(() => {}, 1000)"]),
    'close',
  )) as [number];
  expect(code).toBe(137);
});

test('the warning of Node 22 about its SQLite is not told, any other is', () => {
  const script = join(folder, 'warned.ts');
  writeFileSync(
    script,
    `import { silenceSqliteWarning } from ${JSON.stringify(pathToFileURL(join(root, 'server/src/cli/quietSqlite.ts')).href)};\nsilenceSqliteWarning();\nfor (const what of ['SQLite', 'Something']) process.emitWarning(what + ' is an experimental feature', 'ExperimentalWarning');\nprocess.emitWarning('SQLite is old', 'DeprecationWarning');\n`,
  );
  const { stderr } = spawnSync(process.execPath, [script], { encoding: 'utf8' });
  expect(stderr).toContain('Something is an experimental feature');
  expect(stderr).toContain('SQLite is old');
  expect(stderr).not.toContain('SQLite is an experimental');
});

test('the comparison says what it lacks in Node 22.13, instead of breaking down', () => {
  const [without, order] = [join(folder, 'without.mjs'), join(folder, 'order.json')];
  writeFileSync(without, "import module from 'node:module';\ndelete module.registerHooks;\n");
  writeFileSync(order, '{}');
  const said = execFileSync(
    process.execPath,
    ['--import', pathToFileURL(without).href, join(root, 'dist', 'harness.js'), order],
    { encoding: 'utf8' },
  );
  expect(said).toContain('(22.15 can)');
});

test('what Node 22.13 lacks is imported by name nowhere: such a program would not even start', () => {
  const dist = join(root, 'dist');
  const bundles = readdirSync(dist, { recursive: true, encoding: 'utf8' }).filter((path) =>
    /^(chunks\/)?[^/]+\.js$/.test(path),
  );
  expect(bundles).toContain('harness.js');
  const byName = bundles.filter((path) =>
    /import\s*\{[^}]*\bregisterHooks\b[^}]*\}\s*from\s*["']node:/.test(readFileSync(join(dist, path), 'utf8')),
  );
  expect(byName).toEqual([]);
});
