// Package scripts → how their runner is told to write a report, and to run some files only.

import { expect, test } from 'vitest';
import {
  createCommandFromSetting,
  findPackageScript,
  formatTypedLine,
  findWordsToRun,
} from '../../../server/src/core/verify/detect/command.ts';
import { describeProject } from '../../../server/src/core/verify/detect/project.ts';
import { parseShellLine, shellQuoteIfNeeded } from '../../../server/src/core/verify/detect/shellWords.ts';
import { detectRunner } from '../../../server/src/core/verify/detect/testRunner.ts';

const runnerOf = (
  scripts: Record<string, string>,
  more: { readonly packageManager?: string; readonly mocha?: object } = {},
  files: readonly string[] = [],
) => {
  const project = describeProject({ manifest: JSON.stringify({ scripts, ...more }) }, files);
  return detectRunner(findPackageScript(project, 'test')!, project);
};

test("the runner at the end of a script is asked for a report, behind the script's own flags", () => {
  const check = (scripts: Record<string, string>, expected: string | null, packageManager?: string) => {
    const command = runnerOf(scripts, packageManager ? { packageManager } : {})?.withReport('R');
    expect(command ? findWordsToRun(command, true).command.join(' ') : null, JSON.stringify(scripts)).toBe(expected);
  };
  const vitest = '--reporter=default --reporter=json --outputFile.json=R';
  check({ test: 'vitest run' }, `npm run test -- ${vitest}`);
  check({ test: 'vitest' }, `npm run test -- ${vitest}`);
  check({ test: 'vitest --run --typecheck' }, `npm run test -- ${vitest}`);
  check(
    { test: 'npm run build && cross-env NODE_ENV=test jest --ci --coverage' },
    'npm run test -- --json --outputFile=R',
  );
  check(
    { test: 'c8 --exclude build --exclude test -r text -r lcov mocha' },
    'npm run test -- --reporter json --reporter-option output=R',
  );
  check({ test: 'c8 --reporter tap mocha' }, 'npm run test -- --reporter json --reporter-option output=R');
  check({ test: 'nyc --all build mocha' }, null);
  check({ test: 'nyc --reporter=lcov mocha test/*.js' }, 'npm run test -- --reporter json --reporter-option output=R');
  check(
    { test: 'NODE_ENV=test mocha "test/**/*.spec.js"' },
    'npm run test -- --reporter json --reporter-option output=R',
  );
  check({ test: 'vitest run' }, `pnpm run test ${vitest}`, 'pnpm@10.0.0');
  check({ test: 'yarn jest' }, 'yarn run test --json --outputFile=R', 'yarn@4.0.0');
  // Through other scripts: every npm on the way keeps a `--` to itself.
  check({ test: 'npm run lint && npm run test:unit', 'test:unit': 'vitest run' }, `npm run test -- -- ${vitest}`);
  check({ test: "nyc tape 'test/**/*.js'" }, 'npm run test');
  check({ test: "NODE_OPTIONS='--import=tsx/esm' ava --timeout=2m" }, 'npm run test -- --tap');
  check({ test: 'bun test' }, 'npm run test -- --reporter=junit --reporter-outfile=R');
  check({ test: 'go test ./...' }, 'npm run test -- -v -count=1');
  check({ test: 'go test -v -count=3 ./...' }, 'npm run test');
  check({ test: 'go vet ./...' }, null);
  check({ test: 'npm run-script unit', unit: 'vitest run' }, `npm run test -- -- ${vitest}`);
  check({ test: 'yarn unit', unit: 'vitest run' }, `yarn run test ${vitest}`, 'yarn@4.0.0');
  check({ test: 'bun run unit', unit: 'vitest run' }, `bun run test ${vitest}`, 'bun@1.2.0');
  check({ test: 'vitest src/a.test.ts' }, `npm run test -- ${vitest}`);
  check({ test: 'A=1 npm run unit', unit: 'vitest run' }, null);
  check({ test: 'npm run unit -- --silent', unit: 'vitest run' }, null);
  check({ test: 'npm run unit' }, null);
  check({ test: 'bun unit', unit: 'vitest run' }, null);
  check(
    { test: 'nyc -r lcov --reporter tap mocha test' },
    'npm run test -- --reporter json --reporter-option output=R',
  );
  check(
    { test: 'node --experimental-vm-modules node_modules/jest/bin/jest.js' },
    'npm run test -- --json --outputFile=R',
  );
  check({ test: 'kcd-scripts test --coverage' }, 'npm run test -- --json --outputFile=R');
  check({ test: 'a/b/mocha.js --exit' }, 'npm run test -- --reporter json --reporter-option output=R');
  for (const script of [
    'vitest watch',
    'vitest typecheck',
    'bun run vitests',
    'node build.js',
    'vitest bench',
    'jest | tee log',
    'mocha; echo done',
    'vitest run || true',
    'echo `mocha`',
    'mocha $FILES',
    'node run.mjs --test',
    'node scripts/jest.js',
    'kcd-scripts lint',
    'npm run test',
    'jest && npm run lint',
    'a jest',
    'jest > out.txt',
    'tsd',
    'pnpm -r test',
  ])
    check({ test: script, lint: 'eslint .' }, null);
});

test("Node's runner is asked by its environment", () => {
  const command = runnerOf({ test: 'node --import ./setup.js --test "src/**/*.test.js"' })?.withReport('R');
  expect(command).toMatchObject({
    env: { NODE_OPTIONS: expect.stringContaining('--test-reporter=junit --test-reporter-destination=R') },
    report: { path: 'R', format: 'junit' },
  });
  expect(findWordsToRun(command!, true).command).toEqual(['npm', 'run', 'test']);
});

test("a reporter of a script for Node's runner gives way to ours, because Node refuses both together", () => {
  const ours =
    '--test-reporter=spec --test-reporter-destination=stdout --test-reporter=junit --test-reporter-destination=R';
  const check = (scripts: Record<string, string>, whole: string | null, files: string | null) => {
    const runner = runnerOf(scripts);
    const commands = [runner?.withReport('R'), runner?.onFiles(['a.js'], 'R')];
    expect(commands.map((command) => command?.command[0] ?? null)).toEqual([whole, files]);
    for (const command of commands) expect(command?.env).toBeUndefined();
  };
  check({ test: 'node --test --test-reporter=dot' }, `node ${ours} --test`, `node ${ours} --test a.js`);
  check(
    { test: 'node --test-reporter dot --test-reporter-destination stdout --import ./a.js --test test/*.js' },
    `node ${ours} --import ./a.js --test test/*.js`,
    `node ${ours} --import ./a.js --test a.js`,
  );
  // The first script would be given a second reporter by an environment.
  check(
    { test: 'npm run unit && node --test b', unit: 'node --test --test-reporter=dot a' },
    `node --test --test-reporter=dot a && node ${ours} --test b`,
    `node --test --test-reporter=dot a && node ${ours} --test a.js`,
  );
  check(
    { test: 'FORCE=1 npm run unit && node --test b', unit: 'node --test --test-reporter=dot a' },
    `FORCE=1 npm run unit && node ${ours} --test b`,
    `FORCE=1 npm run unit && node ${ours} --test a.js`,
  );
  expect(runnerOf({ test: 'NODE_OPTIONS=--test-reporter=dot node --test' })).toBeNull();
  expect(runnerOf({ test: 'node --test --test-reporter=dot', posttest: 'node size.js' })).toBeNull();
});

test('a reporter of a script that does not run changes nothing: what follows the tests runs', () => {
  const scripts = { test: 'node --test', posttest: 'node size.js', 'test:ci': 'node --test --test-reporter=junit' };
  const command = runnerOf(scripts)?.withReport('R');
  expect(command?.env).toEqual({ NODE_OPTIONS: expect.stringContaining('--test-reporter=junit') });
  expect(findWordsToRun(command!, true).command).toEqual(['npm', 'run', 'test']);
});

test('a line of its own is for the shell, where the words of the runner are split as a shell splits them', () => {
  for (const script of ['mocha test/*.js', 'node --test', 'vitest run'])
    expect(runnerOf({ test: script })?.onFiles(['a.js'], 'R')).toMatchObject({ shell: true });
  const setting = describeProject({}, []);
  expect(detectRunner(createCommandFromSetting('jest --ci')!, setting)?.withReport('R')).toMatchObject({ shell: true });
});

test('some files take the place of all others', () => {
  const check = (scripts: Record<string, string>, expected: string | null, mocha?: object) =>
    expect(
      runnerOf(scripts, mocha ? { mocha } : {})?.onFiles(['a.js', "b'c.js"], 'R')?.command[0] ?? null,
      JSON.stringify(scripts),
    ).toBe(expected);
  const files = "a.js 'b'\\''c.js'";
  check(
    { test: 'mocha --require test/env --timeout 5000 --check-leaks test/ "test/more/*.js"' },
    `mocha --require test/env --timeout 5000 --check-leaks --reporter json --reporter-option output=R ${files}`,
  );
  check({ test: 'node --import ./setup.js --test "src/**/*.test.js"' }, `node --import ./setup.js --test ${files}`);
  check(
    { test: 'NODE_ENV=test jest --ci -c jest.json src' },
    `NODE_ENV=test jest --ci -c jest.json --json --outputFile=R --runTestsByPath ${files}`,
  );
  check(
    { test: 'vitest run --project unit src' },
    `vitest run --project unit --reporter=default --reporter=json --outputFile.json=R ${files}`,
  );
  // What stands before the runner may build what is tested.
  check({ test: 'c8 ava --concurrency 2 test/*.ts' }, `c8 ava --concurrency 2 --tap ${files}`);
  check(
    { pretest: 'tsc', test: 'npm run gen && mocha', gen: 'node gen.js' },
    `tsc && node gen.js && mocha --reporter json --reporter-option output=R ${files}`,
  );
  // Go tests packages.
  check({ test: 'go test -race -run TestA ./...' }, 'go test -race -run TestA -v -count=1 .');
  // Mocha adds to what its configuration lists.
  check({ test: 'mocha' }, null, { spec: 'test/*.js' });
  expect(runnerOf({ test: 'mocha' }, {}, ['.mocharc.json'])?.onFiles(['a.js'], 'R')).toBeNull();
});

test('a runner that can be told to end with its tests is told so by a word of its own', () => {
  const check = (script: string, whole: string | null, some: string | null) => {
    const ending = runnerOf({ test: script })?.withExitOption ?? null;
    expect(
      [
        ending && findWordsToRun(ending.withReport('R'), true).command.join(' '),
        ending && (ending.onFiles(['a.js'], 'R')?.command[0] ?? null),
      ],
      script,
    ).toEqual([whole, some]);
    expect(ending?.withExitOption ?? null).toBeNull();
  };
  check(
    'jest --ci',
    'npm run test -- --json --outputFile=R --forceExit',
    'jest --ci --json --outputFile=R --forceExit --runTestsByPath a.js',
  );
  check(
    'mocha',
    'npm run test -- --reporter json --reporter-option output=R --exit',
    'mocha --reporter json --reporter-option output=R --exit a.js',
  );
  for (const script of ['vitest run', 'node --test', 'ava', 'bun test']) check(script, null, null);
});

test('a command of the settings is extended as text', () => {
  const project = describeProject({}, []);
  const given = detectRunner(createCommandFromSetting('npx vitest run --dir src')!, project)!.withReport('R');
  expect(findWordsToRun(given, false).command).toEqual([
    'npx vitest run --dir src --reporter=default --reporter=json --outputFile.json=R',
  ]);
  // What a person sees asks for no report: typed, it would leave one in their packages.
  expect(formatTypedLine(given)).toBe('npx vitest run --dir src');
  // A manager that is not installed: the script's own text.
  expect(findWordsToRun(runnerOf({ test: 'jest' })!.withReport('a b'), false).command).toEqual([
    "jest --json '--outputFile=a b'",
  ]);
});

test('plain lines fall into words; others do not', () => {
  const words = (line: string) =>
    parseShellLine(line)?.map((command) =>
      [...command.environment, ...command.words.map(({ value }) => value)].join(' '),
    );
  expect(words(`A=1 b 'c d' "e f" g="h i" && j 'test/**/*.js'`)).toEqual(['A=1 b c d e f g=h i', 'j test/**/*.js']);
  for (const line of [
    '',
    '&& a',
    'a &&',
    'a & b',
    'a || b',
    'a | b',
    'a > b',
    'a; b',
    'a $B',
    'a `b`',
    'a (b)',
    "a 'b",
    'a \\ b',
    'a "$(b)"',
    'a "b\\"c"',
  ])
    expect(parseShellLine(line), line).toBeNull();
  expect(['a-b/c.js', 'a b', "it's", ''].map(shellQuoteIfNeeded)).toEqual(['a-b/c.js', "'a b'", "'it'\\''s'", "''"]);
});

test("where packages stay in Yarn's archives, Yarn starts the programs of some files' tests", () => {
  const scripts = { test: 'yarn tsc && TS=true mocha -r ts-node/register test/*.ts' };
  const lineWith = (files: readonly string[]) => {
    const command = runnerOf(scripts, { packageManager: 'yarn@4.0.0' }, files)?.onFiles(['test/a.ts'], 'R');
    return command?.command[0];
  };
  const report = '--reporter json --reporter-option output=R test/a.ts';
  expect(lineWith([])).toBe(`tsc && TS=true mocha -r ts-node/register ${report}`);
  expect(lineWith(['.pnp.cjs'])).toBe(`yarn exec tsc && TS=true yarn exec mocha -r ts-node/register ${report}`);
});

test('an option that has a value for Node may have none for another program', () => {
  const onFiles = (script: string) => runnerOf({ test: script })?.onFiles(['test/a.js'], 'R')?.command[0];
  expect(onFiles('pnpm -r mocha')).toContain('pnpm -r mocha ');
  expect(onFiles('node -r ./setup.js node_modules/mocha/bin/mocha.js')).toContain('mocha.js ');
});

test('tape and tap run some files in place of the pattern of the script', () => {
  const onFiles = (script: string) => runnerOf({ test: script })?.onFiles(['test/a.js'], 'R')?.command[0];
  expect(onFiles("nyc tape -r ./setup 'test/**/*.js'")).toBe('nyc tape -r ./setup test/a.js');
  // A program that formats the report is left out.
  expect(onFiles('tape test/*.js | tap-spec')).toBe('tape test/a.js');
  expect(onFiles('tap run tests/**/*.js --disable-coverage')).toBe(
    'tap run --disable-coverage --reporter=tap test/a.js',
  );
});

test('uvu runs some files by their folder and a pattern, and names its tests', () => {
  const run = (script: string, ...files: string[]) => runnerOf({ test: script })?.onFiles(files, 'R');
  expect(run('uvu test -r esm -i suites', 'test/a.js', 'test/b/c.js')?.command[0]).toContain(
    "uvu -r esm -i suites -- test '^(?:a\\.js|b/c\\.js)$'",
  );
  expect(run('c8 uvu', 'test.js')?.command[0]).toContain("uvu -- . '^(?:test\\.js)$'");
  expect(run('uvu test .test.js', 'test/a.test.js', 'test/bench/run.js', 'b.test.js')?.command[0]).toContain(
    "uvu -- test '^(?:a\\.test\\.js)$'",
  );
  expect(run('uvu test .test.js', 'test/bench/run.js')).toBeNull();
  expect(run('uvu -C packages test', 'packages/test/a.js')).toBeNull();
  expect(run('uvu test', 'test/a.js')?.env?.['NODE_OPTIONS']).toMatch(/^--import=data:text\/javascript,/);
});
