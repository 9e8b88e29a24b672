// `selfware verify` from outside: anybody's change to a real repository, without a ledger, judged by base and policy.

import { mkdir, readdir, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createCommandLine, type CommandLine } from '../helpers/commandLine.ts';
import { createTemporaryRepository, type TemporaryRepository } from '../helpers/temporaryRepository.ts';
import { manifestOf } from '../helpers/manifest.ts';
import { thoroughTest } from '../helpers/thorough.ts';

const code =
  '/** The mean. */\nexport function mean(values) {\n  let sum = 0;\n  for (const value of values) sum += value;\n  return sum / values.length;\n}\n';
const spec =
  "import test from 'node:test';\nimport assert from 'node:assert';\nimport { mean } from '../src/mean.js';\n\ntest('mean', () => {\n  assert.strictEqual(mean([1, 2, 3]), 2);\n});\n";
const fixed = code.replace('let sum', 'if (values.length === 0) return 0;\n  let sum');
const more = `${spec}test('mean of nothing', () => {\n  assert.strictEqual(mean([]), 0);\n});\n`;

/** Where the results of judgements are kept, if that is asked for. */
const cacheFolder = () => join(selfware.home, 'results');

let repository: TemporaryRepository;
let selfware: CommandLine;

beforeAll(async () => {
  repository = await createTemporaryRepository({
    'package.json': manifestOf('means'),
    'src/mean.js': code,
    'test/mean.test.js': spec,
    'policy.json': '{"rules": [{"authors": ["*bot*"], "require": {"tests": "unchanged"}}]}\n',
  });
  selfware = await createCommandLine(repository.dir);
  const branch = async (name: string, files: Readonly<Record<string, string>>) => {
    await repository.git('switch', '--quiet', '--create', name, 'main');
    for (const [path, text] of Object.entries(files)) await repository.write(path, text);
    await repository.git('add', '--all');
    await repository.git('commit', '--quiet', '--message', name, '--author', 'A bot <bot@example.com>');
    await repository.git('switch', '--quiet', 'main');
  };
  await branch('fix', { 'src/mean.js': fixed, 'test/mean.test.js': more, 'policy.json': '{}' });
  await branch('hidden', {
    'src/mean.js': code.replace('sum = 0', 'sum = 1'),
    'test/mean.test.js': spec.replace('strictEqual(mean([1, 2, 3]), 2)', 'ok(mean([1, 2, 3]))'),
  });
});
afterAll(async () => {
  await selfware.dispose();
  await repository.dispose();
});

test('an honest fix shows what it fixes; the policy of the base holds, not the one that the change brings', async () => {
  const before = await repository.git('for-each-ref');
  const policy = join(repository.dir, 'policy.json');
  const what = ['--base', 'main', '--head', 'fix', '--policy', policy, '--cache', cacheFolder()];
  const { code: exit, value } = await selfware.json(['verify', ...what]);
  expect(value, JSON.stringify(value)).toMatchObject({
    authors: ['A bot <bot@example.com>', 'Test Person <test@example.com>'],
    claims: [{ kind: 'fix', holds: true }],
    tests: { changes: [], added: 1 },
    strength: 'tested',
    policy: { source: 'policy.json', met: false },
  });
  expect(value.verdicts.find(({ gate }: { gate: string }) => gate === 'tests').evidence).toMatchObject({
    passedBefore: expect.any(Number),
  });
  expect(exit).toBe(1);
  const [usual, byBots] = value.policy.rules;
  expect(usual.demands.map(({ met }: { met: boolean }) => met)).toEqual([true, true]);
  expect(byBots.demands).toEqual([
    expect.objectContaining({ what: 'no test is edited', met: false, found: '1 are new.' }),
  ]);
  expect(await repository.git('for-each-ref')).toBe(before);
  expect(await repository.git('status', '--porcelain')).toBe('');
});

thoroughTest('a change that was judged before is a known base for the next one, if its results were kept', async () => {
  const kept = join(cacheFolder(), 'documents', 'judged-baselines-1.json');
  const text = JSON.stringify(JSON.parse(await readFile(kept, 'utf8')));
  await writeFile(kept, text.replaceAll('"passed":2', '"passed":41'));
  await repository.git('switch', '--quiet', '--create', 'after-fix', 'fix');
  await repository.write('src/mean.js', fixed.replace('The mean', 'The mean, or 0'));
  await repository.git('commit', '--quiet', '--all', '--message', 'after fix');
  await repository.git('switch', '--quiet', 'main');
  const next = ['verify', '--base', 'fix', '--head', 'after-fix', '--cache'];
  const { value } = await selfware.json([...next, cacheFolder()]);
  expect(value.verdicts.find(({ gate }: { gate: string }) => gate === 'tests').evidence).toMatchObject({
    passed: 2,
    passedBefore: 41,
  });
  const { code: exit, stderr } = await selfware.run([...next, join(repository.dir, 'results')]);
  expect([exit, stderr]).toEqual([2, expect.stringContaining('lies in a repository')]);
});

thoroughTest('a test that vanishes because the code lists the tests is noticed', async () => {
  const rows = "export const rows = ['a', 'b'];\n";
  const table = `import test from 'node:test';\nimport { rows } from '../src/rows.js';\nfor (const row of rows) test(row, () => {});\n`;
  await repository.git('switch', '--quiet', '--create', 'rows', 'main');
  await repository.write('src/rows.js', rows);
  await repository.write('test/rows.test.js', table);
  await repository.git('add', '--all');
  await repository.git('commit', '--quiet', '--message', 'rows');
  await repository.write('src/rows.js', rows.replace(", 'b'", ''));
  const { code: exit, value } = await selfware.json(['verify', '--base', 'HEAD']);
  await repository.git('checkout', '--quiet', '--', '.');
  await repository.git('switch', '--quiet', 'main');
  expect(value.verdicts).toContainEqual(
    expect.objectContaining({
      gate: 'tests',
      outcome: 'failed',
      reason: '1 test of those that pass without the change does not run with it: b.',
    }),
  );
  expect(exit).toBe(1);
});

test('a test that was weakened to hide a defect is named, with what the old one says', async () => {
  const run = await selfware.run(['verify', '--base', 'main', '--head', 'hidden', '--format', 'markdown']);
  expect(run.code, run.stderr).toBe(1);
  expect(run.stdout).toMatch(/^<!-- selfware-verify -->\n## Selfware: /);
  expect(run.stdout).toContain('assertion loosened');
  expect(run.stdout).toContain('The old test fails on the new code.');
});

test('a change that cannot be judged has a page that says why', async () => {
  const run = await selfware.run(['verify', '--base', 'nowhere', '--format', 'markdown']);
  expect(run.code).toBe(2);
  expect(run.stdout).toMatch(/^<!-- selfware-verify -->\n## Selfware: this change could not be judged\n\n.*nowhere/);
});

thoroughTest('a failing test is shown with what the runner says of it', async () => {
  await repository.write('src/mean.js', code.replace('sum = 0', 'sum = 1'));
  const text = await selfware.run(['verify', '--base', 'HEAD']);
  const page = await selfware.run(['verify', '--base', 'HEAD', '--format', 'markdown']);
  const sarif = await selfware.run(['verify', '--base', 'HEAD', '--format', 'sarif']);
  await repository.write('src/mean.js', code);
  expect(text.code, text.stderr).toBe(1);
  expect(text.stdout).toMatch(/\nWhat the tests say:\n {4}mean\n {6}.*Expected values to be strictly equal/);
  expect(text.stdout).toMatch(/\nNot passed: this check fails: Tests\.\nFix what the failed checks name\./);
  expect(page.stdout).toMatch(
    /\n### What the tests say\n\n```[^\n]*\nmean\n {2}.*Expected values to be strictly equal/,
  );
  const { results } = JSON.parse(sarif.stdout).runs[0];
  expect(results[0].message.text).toMatch(/^Tests: 1 test fails .*\nmean\n {2}.*Expected values/);
});

thoroughTest('a test that comes with the change counts as one that runs the changed code', async () => {
  const sum = 'export function sum(values) {\n  return values.reduce((total, value) => total + value);\n}\n';
  await repository.git('switch', '--quiet', '--create', 'sum', 'main');
  await repository.write('src/sum.js', sum);
  await repository.git('add', '--all');
  await repository.git('commit', '--quiet', '--message', 'sum');
  await repository.write('src/sum.js', sum.replace('+ value)', '+ value, 0)'));
  const what = ['verify', '--base', 'HEAD', '--set', 'verify.guardSeconds=0'];
  const placesOf = async () => {
    const { verdicts } = (await selfware.json(what)).value;
    return verdicts.find(({ gate }: { gate: string }) => gate === 'tests').evidence;
  };
  const untested = await placesOf();
  const name = 'test/sum.test.js';
  const call = spec.replaceAll('mean', 'sum').replace(/assert\.strictEqual\((sum\(.*?\)), 2\)/, '$1');
  await repository.write(name, call);
  const onlyCalled = await placesOf();
  await repository.write(name, spec.replaceAll('mean', 'sum').replace('([1, 2, 3]), 2', '([]), 0'));
  const tested = await placesOf();
  await rm(join(repository.dir, name));
  await repository.git('checkout', '--quiet', '--', '.');
  await repository.git('switch', '--quiet', 'main');
  expect(call).not.toContain('assert.');
  expect([untested, onlyCalled, tested]).toEqual([
    expect.objectContaining({ touchedPlaces: 1, reachedPlaces: 0 }),
    expect.objectContaining({ touchedPlaces: 2, reachedPlaces: 0 }),
    expect.objectContaining({ touchedPlaces: 2, reachedPlaces: 2 }),
  ]);
});

test('the working tree is judged in the time that is given', async () => {
  await repository.write('src/mean.js', fixed);
  const { code: exit, value } = await selfware.json(['verify', '--base', 'HEAD', '--seconds', '0.001']);
  await repository.write('src/mean.js', code);
  expect([exit, value.head, value.conclusion]).toEqual([2, null, 'notJudged']);
  expect(value.verdicts).toContainEqual(expect.objectContaining({ gate: 'tests', outcome: 'unknown' }));
  expect(value.strength).toBe('unchecked');
});

test('a weakened test is named although the time is over', async () => {
  const { code: exit, value } = await selfware.json([
    'verify',
    '--base',
    'main',
    '--head',
    'hidden',
    '--seconds',
    '0.001',
  ]);
  expect(exit).toBe(1);
  expect(value.verdicts).toContainEqual(expect.objectContaining({ gate: 'integrity', outcome: 'failed' }));
});

test('a change after which nothing runs the tests does not look like one without tests', async () => {
  await repository.write('package.json', '{"name": "means", "type": "module"}\n');
  const { code: exit, value } = await selfware.json(['verify', '--base', 'HEAD']);
  await repository.git('checkout', '--quiet', '--', '.');
  expect(value.verdicts).toContainEqual(
    expect.objectContaining({
      gate: 'tests',
      outcome: 'failed',
      reason: 'Without the change `yarn run test` runs the tests; with it nothing does.',
    }),
  );
  expect(exit).toBe(1);
});

test('what is not committed in a submodule is said not to be judged', async () => {
  const inner = await createTemporaryRepository({ 'a.js': 'export {};\n' });
  const from = ['-c', 'protocol.file.allow=always', 'submodule', '--quiet', 'add', inner.dir, 'sub'];
  await repository.git('switch', '--quiet', '--create', 'with-sub', 'main');
  await repository.git(...from);
  await repository.git('commit', '--quiet', '--message', 'sub');
  await writeFile(join(repository.dir, 'sub/a.js'), 'dirty\n');
  await repository.write('notes.md', 'New.\n');
  const { value } = await selfware.json(['verify', '--base', 'HEAD', '--seconds', '0.001']);
  await repository.git('switch', '--quiet', '--force', 'main');
  await repository.git('clean', '--quiet', '-ffd');
  await inner.dispose();
  expect(value.files).toMatchObject({ changed: 1, added: 1 });
  expect(value.notes).toEqual([
    'Of submodules (sub) only the commit counts: what is not committed in them is not judged.',
  ]);
});

test('what cannot be judged is said in one line', async () => {
  const temporary = join(selfware.home, 'tmp');
  await mkdir(temporary);
  const refused = async (...args: readonly string[]) => {
    const { code: exit, stderr, stdout } = await selfware.run(['verify', ...args], { env: { TMPDIR: temporary } });
    return [exit, stdout, stderr] as const;
  };
  const policy = join(selfware.home, 'policy.json');
  await writeFile(policy, '{"require": {"strength": "strong"}}');
  expect(await refused()).toEqual([2, '', expect.stringContaining('--base REF')]);
  expect(await refused('--base', 'nowhere')).toEqual([2, '', expect.stringContaining('There is no commit nowhere')]);
  expect(await refused('--base', 'HEAD')).toEqual([2, '', expect.stringContaining('There is nothing to judge')]);
  expect(await refused('--base', 'main', '--head', 'fix', '--policy', policy)).toEqual([
    2,
    '',
    expect.stringContaining('require.strength'),
  ]);
  // A policy in the repository comes from the base, whatever its name is, and also through a link from outside.
  const own = join(repository.dir, '..policy.json');
  const link = join(selfware.home, 'link.json');
  await writeFile(own, '{}');
  await symlink(own, link);
  for (const place of [own, link])
    expect(await refused('--base', 'main', '--head', 'fix', '--policy', place)).toEqual([
      2,
      '',
      expect.stringContaining('is not in the base'),
    ]);
  await rm(own);
  expect(await refused('--base', 'main', '--format', 'xml')).toEqual([2, '', expect.stringContaining('--format')]);
  expect(await readdir(temporary)).toEqual([]);
});

thoroughTest(
  'a version and a description need no person; the tests count although their script has a reporter',
  async () => {
    const scripts = { test: 'node --test --test-reporter=dot' };
    const manifest = { name: 'means', version: '1.0.0', type: 'module', scripts };
    await repository.git('switch', '--quiet', '--create', 'release', 'main');
    await repository.write('package.json', JSON.stringify(manifest));
    await repository.git('commit', '--quiet', '--all', '--message', 'a reporter');
    await repository.write(
      'package.json',
      JSON.stringify({ ...manifest, version: '1.1.0', description: 'Means.' }, null, 2),
    );
    await repository.write('CHANGELOG.md', '# 1.1.0\n');
    const { code: exit, value } = await selfware.json(['verify', '--base', 'HEAD']);
    await repository.write('package.json', JSON.stringify({ ...manifest, version: '1.1.0', main: 'src/mean.js' }));
    const { value: executed } = await selfware.json(['verify', '--base', 'HEAD']);
    await repository.git('clean', '--quiet', '--force', 'CHANGELOG.md');
    await repository.git('checkout', '--quiet', '--', '.');
    await repository.git('switch', '--quiet', 'main');
    expect(exit).toBe(0);
    expect(value.conclusion, JSON.stringify(value.verdicts)).toBe('passed');
    expect(value.verdicts.find(({ gate }: { gate: string }) => gate === 'tests').evidence).toMatchObject({ passed: 1 });
    expect(executed.conclusion).toBe('look');
  },
);
