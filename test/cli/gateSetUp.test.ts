// `selfware verify --base` where the repository was set up before: its kept packages, its test count, earlier results.

import { mkdir, mkdtemp, readdir, readFile, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { resolveStateFolder } from '../../server/src/adapters/files/stateFolder.ts';
import { createPackageTrees } from '../../server/src/adapters/packages/packageTrees.ts';
import { hashShapingFiles, selectShapingFiles } from '../../server/src/core/setup/shapingFiles.ts';
import { createCommandLine, type CommandLine } from '../helpers/commandLine.ts';
import { createTemporaryRepository, type TemporaryRepository } from '../helpers/temporaryRepository.ts';
import { thoroughTest } from '../helpers/thorough.ts';

const signal = new AbortController().signal;
const code = "import { one } from 'one';\nexport function next(value) {\n  return value + one;\n}\n";
const spec =
  "import test from 'node:test';\nimport assert from 'node:assert';\nimport { next } from '../src/next.js';\n\ntest('next', () => {\n  assert.strictEqual(next(1), 2);\n});\n";
const manifest = (range: string) =>
  `${JSON.stringify({ name: 'next', type: 'module', scripts: { test: 'node --test' }, dependencies: { one: range } })}\n`;

let repository: TemporaryRepository;
let selfware: CommandLine;
let state: string;

/** As a set-up would leave it. */
async function keep(name: string, files: Readonly<Record<string, string>>, text: string): Promise<void> {
  const from = await mkdtemp(join(tmpdir(), 'installed-'));
  await mkdir(join(from, 'node_modules', 'one'), { recursive: true });
  await writeFile(join(from, 'node_modules/one/package.json'), '{"name": "one", "type": "module", "main": "one.js"}');
  await writeFile(join(from, 'node_modules/one/one.js'), text);
  const contents = selectShapingFiles(Object.keys(files)).map((path) => ({ path, bytes: Buffer.from(files[path]!) }));
  const what = { name, shape: hashShapingFiles(contents), prefix: '', managerFolder: '.selfware-manager', entries: [] };
  await createPackageTrees(state).keep(from, what, 1, signal);
}

async function setUpWith(tests: number): Promise<void> {
  const check = {
    name: 'tests',
    command: 'npm test',
    runs: true,
    tests,
    passed: tests,
    failed: 0,
    seconds: 1,
    reason: null,
  };
  const record = { at: 1, plan: '', name: '', shape: '', manager: 'npm', services: [], values: {}, testCommand: null };
  await mkdir(join(state, 'documents'), { recursive: true });
  await writeFile(join(state, 'documents/setup.json'), JSON.stringify({ ...record, checks: [check], missing: [] }));
}

beforeAll(async () => {
  const files = { 'package.json': manifest('^1.0.0'), 'src/next.js': code, 'test/next.test.js': spec };
  repository = await createTemporaryRepository(files);
  selfware = await createCommandLine(repository.dir);
  state = resolveStateFolder(repository.dir, { SELFWARE_HOME: selfware.home });
  await keep('aaaaaaaaaaaa', files, 'export const one = 1;\n');
  await createPackageTrees(state).share('aaaaaaaaaaaa');
  await repository.write('src/next.js', code.replace('value + one', 'one + value'));
});
afterAll(async () => {
  await selfware.dispose();
  await repository.dispose();
});

async function testsGate(...args: readonly string[]) {
  const { value } = await selfware.json(['verify', ...args]);
  return value.verdicts.find(({ gate }: { gate: string }) => gate === 'tests');
}

thoroughTest(
  'kept packages are lent, and what both sides gave is remembered beside what sessions remember',
  async () => {
    await setUpWith(1);
    const before = await readdir(state);
    expect(await testsGate('--base', 'HEAD')).toMatchObject({
      ...{ outcome: 'passed', reason: '1 test passed.' },
      evidence: { passedBefore: 1 },
    });
    expect(await readdir(state)).toEqual(before);
    const kept = JSON.parse(await readFile(join(state, 'documents/judged-baselines-1.json'), 'utf8'));
    expect(kept.entries).toHaveLength(2);
    // It is taken from there the next time.
    const text = JSON.stringify(kept).replaceAll('"passed":1', '"passed":41');
    await writeFile(join(state, 'documents/judged-baselines-1.json'), text);
    expect((await testsGate('--base', 'HEAD')).evidence).toMatchObject({ passedBefore: 41 });
    await writeFile(join(state, 'documents/judged-baselines-1.json'), '{"entries": []}');
  },
);

thoroughTest('a linked work tree is lent what the main one was set up with', async () => {
  await setUpWith(1);
  const linked = join(await mkdtemp(join(tmpdir(), 'linked-')), 'tree');
  await repository.git('worktree', 'add', '--quiet', '-b', 'linked', linked);
  await writeFile(join(linked, 'src/next.js'), code.replace('value + one', 'one + value'));
  const { stdout } = await selfware.run(['verify', '--base', 'HEAD', '--json', '--repo', linked]);
  const { verdicts, conclusion } = JSON.parse(stdout);
  expect(verdicts).toContainEqual(expect.objectContaining({ gate: 'tests', outcome: 'passed' }));
  expect(['passed', 'look']).toContain(conclusion);
  await repository.git('worktree', 'remove', '--force', linked);
});

test('a base that runs far fewer tests than the set-up counted is unknown', async () => {
  await setUpWith(40);
  expect(await testsGate('--base', 'HEAD')).toMatchObject({
    outcome: 'unknown',
    reason: expect.stringMatching(/^Only 1 test ran without the change, and 40 did when the repository was set up/),
  });
});

thoroughTest('a changed lock file is run on both sides once a set-up has kept the packages of both', async () => {
  await setUpWith(1);
  await repository.git('checkout', '--quiet', '--', '.');
  const files = { 'package.json': manifest('^2.0.0'), 'test/next.test.js': spec.replace('2)', '3)') };
  for (const [path, text] of Object.entries(files)) await repository.write(path, text);
  await repository.git('switch', '--quiet', '--create', 'two');
  await repository.git('commit', '--quiet', '--all', '--message', 'one 2.0.0');
  await repository.git('switch', '--quiet', 'main');
  expect(await testsGate('--base', 'main', '--head', 'two')).toMatchObject({
    outcome: 'unknown',
    evidence: {
      obstacle: expect.stringContaining('those with the change are not kept. Run `selfware setup --at two` first.'),
    },
  });
  await keep('bbbbbbbbbbbb', { ...files, 'src/next.js': code }, 'export const one = 2;\n');
  expect(await testsGate('--base', 'main', '--head', 'two')).toMatchObject({
    outcome: 'passed',
    evidence: { passed: 1, passedBefore: 1 },
  });
  // The packages of the change break the test as it was.
  await repository.git('switch', '--quiet', 'two');
  await repository.write('test/next.test.js', spec);
  await repository.git('commit', '--quiet', '--all', '--message', 'the test as it was');
  await repository.git('switch', '--quiet', 'main');
  const { value } = await selfware.json(['verify', '--base', 'main', '--head', 'two']);
  expect(value.policy.met).toBe(false);
});

thoroughTest('a set-up of another commit leaves the working tree and what it is lent alone', async () => {
  await selfware.decide();
  await repository.git('switch', '--quiet', '--create', 'bare', 'main');
  const bare = manifest('').replace(/,"dependencies":\{[^}]*\}/, '');
  const lock = { name: 'next', lockfileVersion: 3, requires: true, packages: { '': { name: 'next' } } };
  await repository.write('package-lock.json', JSON.stringify(lock));
  await repository.write('package.json', bare);
  await repository.write('src/next.js', code.replace(/import.*\n/, '').replace('+ one', '+ 1'));
  await repository.git('add', '--all');
  await repository.git('commit', '--quiet', '--message', 'no packages');
  await repository.git('switch', '--quiet', 'main');
  const [status, lent] = [await repository.git('status', '--porcelain'), await createPackageTrees(state).shared()];
  const { value, stderr } = await selfware.json(['setup', '--at', 'bare', '--yes']);
  expect(value.checks, stderr).toMatchObject([{ runs: true, tests: 1, passed: 1 }]);
  expect([await repository.git('status', '--porcelain'), await createPackageTrees(state).shared()]).toEqual([
    status,
    lent,
  ]);
  expect(await testsGate('--base', 'main', '--head', 'bare')).toMatchObject({ outcome: 'passed' });
});

thoroughTest('a side that asks for no packages needs no set-up, and is lent none', async () => {
  await setUpWith(1);
  await repository.git('switch', '--quiet', '--create', 'nothing', 'main');
  await repository.write('package.json', manifest('').replace(/,"dependencies":\{[^}]*\}/, ''));
  const asks = "import { existsSync } from 'node:fs';\n";
  const found = spec.replace('assert.strictEqual(next(1), 2)', "assert.ok(!existsSync('node_modules/one'))");
  await repository.write('src/next.js', code.replace(/import.*\n/, '').replace('+ one', '+ 1'));
  await repository.write('test/next.test.js', asks + found);
  await repository.git('commit', '--quiet', '--all', '--message', 'no packages and no lock file');
  await repository.git('switch', '--quiet', 'main');
  const evidence = { passed: 1, passedBefore: 1 };
  expect(await testsGate('--base', 'main', '--head', 'nothing')).toMatchObject({ outcome: 'passed', evidence });
  // The other way round, its test fails with the packages of the head.
  await repository.git('switch', '--quiet', '--create', 'back', 'nothing');
  await repository.git('checkout', '--quiet', 'main', '--', '.');
  await repository.git('commit', '--quiet', '--all', '--message', 'packages again');
  await repository.git('switch', '--quiet', 'main');
  expect(await testsGate('--base', 'nothing', '--head', 'back')).toMatchObject({ outcome: 'passed', evidence });
});
