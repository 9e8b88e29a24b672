// The gates that run the repository's own commands: real tsc, node --test and mocha on real repositories.

import { chmod } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import type { FileEdit } from '../../../server/src/core/model.ts';
import { createBaselineCache } from '../../../server/src/core/verify/baseline.ts';
import { edit, told, toldBy, verifying, watched } from './verifying.ts';
import { WITHOUT_MANAGER } from '../../helpers/manifest.ts';
import { thoroughTest } from '../../helpers/thorough.ts';

/** A compiler that reads and checks the library of a browser takes six times the processor time. */
const quickly = { types: [], lib: ['es2022'], skipLibCheck: true };
const tsconfig = JSON.stringify({
  compilerOptions: { strict: true, module: 'esnext', moduleResolution: 'bundler', noEmit: true, ...quickly },
  include: ['src'],
});
const manifest = (test: string, more: object = {}) =>
  JSON.stringify({ name: 'example', private: true, type: 'module', scripts: { test }, ...more });
const sum = 'export function sum(a: number, b: number): number {\n  return a + b;\n}\n';
const better = '/** Adds. */\nexport function sum(a: number, b: number): number {\n  return a + b;\n}\n';
const sumTest =
  "import assert from 'node:assert';\nimport { test } from 'node:test';\nimport { sum } from '../src/sum.ts';\ntest('adds', () => assert.equal(sum(1, 2), 3));\ntest('adds nothing', () => assert.equal(sum(1, 0), 1));\n";
const onlyTypes = { only: ['applies', 'types'] } as const;
const project = {
  'package.json': manifest('node --test', WITHOUT_MANAGER),
  'tsconfig.json': tsconfig,
  'src/sum.ts': sum,
  'test/sum.test.ts': sumTest,
};

const npmProject = { ...project, 'package.json': manifest('node --test') };

test('a good change passes every gate and is verified', async () => {
  await using given = await verifying(npmProject, ['typescript']);
  const verification = await given.verify([edit('src/sum.ts', sum, better)]);
  expect(told(verification).slice(0, 8)).toEqual([
    'applies passed: 1 file as expected.',
    'syntax passed: The edited texts parse as before.',
    'charter passed: No protected path is touched.',
    'integrity passed: No test, snapshot or setting that judges a change is edited, and nothing silences a check.',
    'score passed: 10 → 11 points.',
    'types passed: No type error.',
    'lint unknown: No linter was found.',
    'tests passed: 2 tests passed.',
  ]);
  expect(verification).toMatchObject({ outcome: 'verified', pointsBefore: { total: 10 }, pointsAfter: { total: 11 } });
  expect(verification.verdicts[7]?.evidence).toMatchObject({
    command: 'npm run test',
    exitCode: 0,
    passed: 2,
    failed: 0,
    skipped: 0,
  });
});

thoroughTest('what npm says of itself is no evidence; where a command fails, it stands apart', async () => {
  await using given = await verifying({ ...npmProject, '.npmrc': 'nodedirr=/nowhere\n' }, ['typescript']);
  const good = await given.verify([edit('src/sum.ts', sum, better)]);
  expect(toldBy('tests', good)).toBe('tests passed: 2 tests passed.');
  expect(JSON.stringify(good.verdicts)).not.toMatch(/npm warn/i);
  const bad = await given.verify([edit('src/sum.ts', sum, sum.replace('a + b', 'a - b'))]);
  const { evidence } = bad.verdicts.find(({ gate }) => gate === 'tests')!;
  expect(evidence['output']).not.toMatch(/npm warn/i);
  expect(evidence['packageManager']).toMatch(/^npm warn .*nodedirr/im);
});

test('types: a new error fails, and nothing after it runs', async () => {
  await using given = await verifying(project, ['typescript']);
  const verification = await given.verify([edit('src/sum.ts', sum, sum.replace('a + b', '`${a}`'))]);
  expect(told(verification).slice(5)).toEqual([
    "types failed: 1 new type error: src/sum.ts TS2322 Type 'string' is not assignable to type 'number'.",
  ]);
  expect(verification).toMatchObject({ outcome: 'refused', reason: expect.stringMatching(/^types: 1 new/) });
});

test('types: a repository that is red before is compared, not demanded clean', async () => {
  const red = 'export const wrong: string = 1;\nexport const missing = nowhere;\n';
  await using given = await verifying({ ...project, 'src/red.ts': red }, ['typescript']);
  const baseline = createBaselineCache();
  const treeKey = (edits: readonly FileEdit[]) => JSON.stringify(edits);
  const check = async (after: string, expected: string) =>
    expect(
      toldBy('types', await given.verify([edit('src/red.ts', red, after)], { ...onlyTypes, baseline, treeKey })),
    ).toBe(expected);
  await check(
    `// moved by a line\n${red}`,
    'types passed: No new type error; 2 type errors with and without the change.',
  );
  await check(red.split('\n')[0]!, 'types passed: 1 type error less, and no new one; 1 left.');
  await check(
    `${red}export const again: string = 2;\n`,
    "types failed: 1 new type error: src/red.ts TS2322 Type 'number' is not assignable to type 'string'.",
  );
});

thoroughTest('types: a solution is built project by project', async () => {
  const part = (references: string[]) =>
    JSON.stringify({
      compilerOptions: {
        composite: true,
        strict: true,
        outDir: 'out',
        rootDir: '.',
        module: 'esnext',
        moduleResolution: 'bundler',
        ...quickly,
      },
      include: ['*.ts'],
      references: references.map((path) => ({ path })),
    });
  const b = "import { a } from '../a/a.ts';\nexport const b: number = a;\n";
  const files = {
    'tsconfig.json': '{"files": [], "references": [{"path": "a"}, {"path": "b"}]}',
    'a/tsconfig.json': part([]).replace(
      '"strict"',
      '"allowImportingTsExtensions":true,"emitDeclarationOnly":true,"strict"',
    ),
    'b/tsconfig.json': part(['../a']).replace(
      '"strict"',
      '"allowImportingTsExtensions":true,"emitDeclarationOnly":true,"strict"',
    ),
    'a/a.ts': 'export const a = 1;\n',
    'b/b.ts': b,
  };
  await using given = await verifying(files, ['typescript']);
  expect(toldBy('types', await given.verify([edit('b/b.ts', b, `${b}\n`)], onlyTypes))).toBe(
    'types passed: No type error.',
  );
  expect(
    toldBy(
      'types',
      await given.verify([edit('a/a.ts', 'export const a = 1;\n', "export const a = '1';\n")], onlyTypes),
    ),
  ).toMatch(/^types failed: 1 new type error: b\/b\.ts TS2322/);
});

thoroughTest('types and lint of the package that a file is in', async () => {
  const wrong = 'export const wrong: string = 1;\n';
  const files = {
    'package.json': '{"name": "all", "private": true, "workspaces": ["packages/*"]}',
    'packages/a/package.json': '{"name": "a"}',
    'packages/a/tsconfig.json': tsconfig,
    'packages/a/src/a.ts': wrong,
    'packages/a/.oxlintrc.json': '{}',
    'packages/b/package.json': '{"name": "b"}',
    'packages/b/b.js': 'b\n',
    'packages/c/tsconfig.json': '{"files": []}',
    'packages/c/c.ts': 'export {};\n',
  };
  await using given = await verifying(files, ['typescript']);
  // Stands in for oxlint: says where it ran and on what.
  const bin = 'packages/a/node_modules/.bin/oxlint';
  await given.repository.write(
    bin,
    "#!/usr/bin/env node\nconsole.log(JSON.stringify([{ code: process.cwd().split('/').slice(-2).join('/'), message: '', filename: process.argv.at(-1) }]));\n",
  );
  await chmod(join(given.repository.dir, bin), 0o755);
  const verification = await given.verify(
    [edit('packages/a/src/a.ts', wrong, `${wrong}export const again: string = wrong.length;\n`)],
    onlyTypes,
  );
  expect(toldBy('types', verification)).toBe(
    "types failed: 1 new type error: packages/a/src/a.ts TS2322 Type 'number' is not assignable to type 'string'.",
  );
  const moved = await given.verify([edit('packages/a/src/a.ts', wrong, `\n${wrong}`)], {
    only: ['applies', 'types', 'lint'],
  });
  expect(toldBy('types', moved)).toBe('types passed: No new type error; 1 type error with and without the change.');
  expect(toldBy('lint', moved)).toBe('lint passed: No new lint problem; 1 lint problem with and without the change.');
  expect(moved.verdicts.find(({ gate }) => gate === 'lint')?.evidence).toMatchObject({
    command: './node_modules/.bin/oxlint --format json src/a.ts',
    output: expect.stringContaining('"packages/a"'),
  });
  expect(toldBy('types', await given.verify([edit('packages/b/b.js', 'b\n', 'c\n')], onlyTypes))).toBe(
    'types unknown: No type check was found: no package script, and no tsconfig.json.',
  );
  expect(
    toldBy('types', await given.verify([edit('packages/c/c.ts', 'export {};\n', 'export {}\n')], onlyTypes)),
  ).toMatch(/^types unknown/);
});

thoroughTest('types: a tool that is broken in any case says nothing; one that the change breaks fails', async () => {
  await using given = await verifying({ 'a.txt': 'a\n', 'check.sh': 'exit 3\n' });
  const check = async (typesCommand: string, expected: string) =>
    expect(
      toldBy(
        'types',
        await given.verify([edit('a.txt', 'a\n', 'b\n')], { settings: { typesCommand, timeoutSeconds: 5 } }),
      )?.replace(/after \d+ s/, 'after N s'),
    ).toBe(expected);
  await check(
    'sh check.sh',
    'types unknown: `sh check.sh` ends with 3, with and without the change, and names no type error.',
  );
  await check('grep -q a a.txt', 'types failed: `grep -q a a.txt` ends with 1 with the change, and with 0 without it.');
  await check('true', 'types passed: No type error.');
  await check('sleep 60', 'types unknown: `sleep 60` was ended after N s.');
});

thoroughTest('lint: only more of a kind in a touched file fails', async () => {
  // Stands in for ESLint: complains of `debugger` and, as a warning, of `var`.
  const eslint = `#!/usr/bin/env node
const fs = require('node:fs');
const files = process.argv.slice(process.argv.indexOf('--') + 1);
const of = (text, word, ruleId, severity) => [...text.matchAll(new RegExp(word, 'g'))].map(() => ({ ruleId, severity, message: word, line: 1, column: 1 }));
const report = files.map((file) => { const text = fs.readFileSync(file, 'utf8'); return { filePath: fs.realpathSync(file), messages: [...of(text, 'debugger', 'no-debugger', 2), ...of(text, 'var ', 'no-var', 1)] }; });
console.log(JSON.stringify(report));
process.exitCode = report.some((file) => file.messages.some((message) => message.severity === 2)) ? 1 : 0;
`;
  const a = 'var a = 1;\ndebugger;\n';
  const warned = 'var a = 1;\n'.repeat(20);
  const old = `debugger;\n${warned}`;
  await using given = await verifying({
    'eslint.config.mjs': 'export default [];\n',
    'a.js': a,
    'untouched.js': 'debugger;\n',
    'test/old.test.js': old,
    'test/warned.test.js': warned,
    'full.js': old,
    'b.md': '# b\n',
  });
  await given.repository.write('node_modules/.bin/eslint', eslint);
  await chmod(join(given.repository.dir, 'node_modules/.bin/eslint'), 0o755);
  const check = async (edits: Parameters<typeof given.verify>[0], expected: string) =>
    expect(toldBy('lint', await given.verify(edits))).toBe(expected);
  await check([edit('a.js', a, 'let a = 1;\n')], 'lint passed: No lint problem.');
  await check(
    [edit('a.js', a, `\n${a}`)],
    'lint passed: No new lint problem; 2 lint problems with and without the change.',
  );
  await check([edit('a.js', a, `${a}debugger;\n`)], 'lint failed: 1 new lint problem: a.js no-debugger debugger');
  await check([edit('a.js', a, `${a}var b = 1;\n`)], 'lint failed: 1 new lint problem: a.js no-var var ');
  await check([edit('new.js', null, 'let x = 1;\n')], 'lint passed: No lint problem.');
  await check([edit('new.js', null, 'var x = 1;\n')], 'lint failed: 1 new lint problem: new.js no-var var ');
  await check(
    [edit('test/old.test.js', old, `${old}var b = 1;\n`)],
    'lint unknown: 1 lint problem of a kind that the file is full of: test/old.test.js no-var var ',
  );
  await check(
    [edit('test/old.test.js', old, `${old}debugger;\n`)],
    'lint failed: 1 new lint problem: test/old.test.js no-debugger debugger',
  );
  await check([edit('full.js', old, `${old}var b = 1;\n`)], 'lint failed: 1 new lint problem: full.js no-var var ');
  const many = toldBy('lint', await given.verify([edit('test/old.test.js', old, old + 'var b = 1;\n'.repeat(21))]));
  expect(many).toMatch(/^lint failed: 21 new lint problems/);
  // Where the linter passes without the change, one warning more may be one too many.
  await check(
    [edit('test/warned.test.js', warned, `${warned}var b = 1;\n`)],
    'lint failed: 1 new lint problem: test/warned.test.js no-var var ',
  );
  await check([edit('b.md', '# b\n', '# c\n')], 'lint unknown: No touched file is one that ESLint looks at.');
});

test('tests: a new failure fails, with its name', async () => {
  await using given = await verifying(project, []);
  const verification = await given.verify([edit('src/sum.ts', sum, sum.replace('a + b', 'a - b'))]);
  expect(told(verification).at(-1)).toBe('tests failed: 1 test fails with the change and not without it: adds.');
  expect(verification.verdicts.at(-1)?.evidence).toMatchObject({
    passed: 1,
    failed: 1,
    passedBefore: 2,
    failedBefore: 0,
    failing: 'adds',
  });
});

test('tests: those that are red before may stay red, and no more', async () => {
  const specs =
    "const { one, two } = require('./lib.js');\nconst assert = require('assert');\ndescribe('lib', () => { it('one', () => assert.equal(one, 1)); it('two', () => assert.equal(two, 2)); it('never', () => assert.fail()); });\n";
  const lib = 'exports.one = 1;\nexports.two = 3;\n';
  await using given = await verifying(
    { 'package.json': JSON.stringify({ scripts: { test: 'mocha specs.js' } }), 'specs.js': specs, 'lib.js': lib },
    ['mocha'],
  );
  const check = async (after: string, expected: string) =>
    expect(toldBy('tests', await given.verify([edit('lib.js', lib, after)]))).toBe(expected);
  await check(`// same\n${lib}`, 'tests passed: Already failing: 2 tests fail with and without the change; 1 passed.');
  await check(
    'exports.one = 1;\nexports.two = 2;\n',
    'tests passed: Already failing: 2 tests fail with and without the change; 2 passed.',
  );
  await check(
    'exports.one = 2;\nexports.two = 3;\n',
    'tests failed: 1 test fails with the change and not without it: lib one.',
  );
  await check(
    'exports.one = 2;\nexports.two = 2;\n',
    'tests failed: 1 test fails with the change and not without it: lib one.',
  );
  await check(
    'throw new Error();\n',
    'tests failed: `npm run test` ends with 1 with the change, before a test reports a result; without it 1 passed and 2 failed.',
  );
});

test('tests: without a test that ran there is no success', async () => {
  await using given = await verifying({
    'a.txt': 'a\n',
    'package.json': manifest('echo "Error: no test specified" && exit 1'),
  });
  const check = async (testCommand: string, expected: string) => {
    const verification = await given.verify([edit('a.txt', 'a\n', 'b\n')], { settings: { testCommand } });
    expect(toldBy('tests', verification)).toBe(`tests ${expected}`);
  };
  await check('', 'unknown: No tests were found.');
  await check('node --test', 'unknown: No test ran.');
  await check('echo fine', 'unknown: The tests ran, but no count could be read from their output.');
  await check(
    'exit 4',
    'unknown: The tests fail with and without the change, and no count could be read from their output.',
  );
  await check(
    'echo TAP version 13; echo not ok 1 - x; echo 1..1; exit 1',
    'unknown: No test passes, with or without the change.',
  );
  await check('grep -q a a.txt', 'failed: `grep -q a a.txt` ends with 1 with the change and with 0 without it.');
  await check(
    'echo TAP version 13; echo ok 1; echo not ok 2 - x; echo 1..2',
    'passed: Already failing: 1 test fails with and without the change; 1 passed.',
  );
});

thoroughTest('tests: a test that does not run any more fails, and a tree is measured once', async () => {
  await using given = await verifying(project, []);
  const { sandbox, lines } = watched(given);
  const known = {
    sandbox,
    baseline: createBaselineCache(),
    treeKey: (edits: readonly FileEdit[]) => JSON.stringify(edits),
  };
  const count = () => lines.splice(0).length;
  const good = edit('src/sum.ts', sum, better);
  await given.verify([good], known);
  expect(count()).toBe(2);
  await given.verify([good], known);
  expect(count()).toBe(1);
  // What was measured of the candidate is what is known of the tree once it is applied.
  await given.verify([edit('src/more.ts', null, sum)], {
    ...known,
    treeKey: (edits) => JSON.stringify(edits.length === 0 ? [good] : edits),
  });
  expect(count()).toBe(1);
  await given.verify([good], { ...known, treeKey: (edits) => `another ${JSON.stringify(edits)}` });
  expect(count()).toBe(2);
  const fewer = await given.verify(
    [edit('test/sum.test.ts', sumTest, sumTest.replace(/test\('adds nothing.*\n/, ''))],
    { ...known, inventory: async () => null },
  );
  expect(told(fewer).at(-1)).toBe(
    'tests failed: 1 test of those that pass without the change does not run with it: adds nothing.',
  );
});

test('tests: a report of another run is none', async () => {
  // Prints what a runner would, and ends well, whatever happens.
  await using given = await verifying({
    'a.ts': 'export const a = 1;\n',
    'package.json': manifest('node fake.mjs'),
    'fake.mjs':
      "import { readFileSync } from 'node:fs';\nconst all = readFileSync('a.ts', 'utf8').includes('1');\nconsole.log(`TAP version 13\\nok 1 - one\\n${all ? 'ok 2 - two\\n' : 'ok 2 - other\\n'}1..2`);\n",
  });
  expect(toldBy('tests', await given.verify([edit('a.ts', 'export const a = 1;\n', 'export const a = 2;\n')]))).toBe(
    'tests failed: 1 test of those that pass without the change does not run with it: two.',
  );
});

test('a package manager that is not installed is done without', async () => {
  await using given = await verifying(
    { ...project, 'package.json': manifest('node --test', { packageManager: 'yarn@9.9.9' }) },
    [],
  );
  const verification = await given.verify([edit('src/sum.ts', sum, better)]);
  expect(verification.verdicts[7]).toMatchObject({
    outcome: 'passed',
    evidence: {
      command: 'node --test',
      isolation: expect.stringMatching(/^(bubblewrap|unshare|sandbox-exec|none)$/),
      passed: 2,
    },
  });
});

test('in an untrusted workspace nothing of the repository is executed', async () => {
  await using given = await verifying(
    { 'package.json': manifest('node write.mjs', {}), 'write.mjs': '', 'tsconfig.json': tsconfig, 'a.txt': 'a\n' },
    ['typescript'],
  );
  const { sandbox, lines } = watched(given);
  const settings = { typesCommand: 'true', lintCommand: 'true', testCommand: 'true' };
  const untrusted = await given.verify([edit('a.txt', 'a\n', 'b\n')], { sandbox, trusted: false, settings });
  expect(told(untrusted).slice(5, 8)).toEqual(
    ['types', 'lint', 'tests'].map((gate) => `${gate} unknown: Not run: the workspace is not trusted.`),
  );
  expect(lines).toEqual([]);
  await given.verify([edit('a.txt', 'a\n', 'b\n')], { sandbox, settings });
  expect(lines).toEqual(['true', 'true', 'true', 'true']);
});
