// The test script without its checks: what is left of it, and when that is run.

import { expect, test } from 'vitest';
import { findPackageScript, type DetectedCommand } from '../../../server/src/core/verify/detect/command.ts';
import { describeProject } from '../../../server/src/core/verify/detect/project.ts';
import { detectTests } from '../../../server/src/core/verify/detect/testCommand.ts';
import { removeChecks } from '../../../server/src/core/verify/detect/removeChecks.ts';
import { removeCoverage } from '../../../server/src/core/verify/detect/removeCoverage.ts';
import { chooseTests, type ChoosingRun } from '../../../server/src/core/verify/testing/chosenTests.ts';
import { createPart } from '../../helpers/createPart.ts';

function left(scripts: Readonly<Record<string, string>>): string | null {
  const project = describeProject({ manifest: JSON.stringify({ scripts }) }, []);
  return removeChecks(findPackageScript(project, 'test')!, project)?.command.join(' ') ?? null;
}

test.each([
  [{ test: 'pnpm lint && vitest run --coverage', lint: 'oxlint . && oxfmt --check src' }, 'vitest run --coverage'],
  [{ test: 'xo && ava && tsd' }, 'ava'],
  [{ test: 'node --test && npm run check:type:ts', 'check:type:ts': 'tsd && tsc -p tsconfig.ts.json' }, 'node --test'],
  [{ test: 'tsc --noEmit && prettier --check . && npx jest' }, 'jest'],
  // What builds the code that is tested stays.
  [{ test: 'eslint . && tsc && mocha' }, 'tsc && mocha'],
  [{ test: 'npm run build && npm run lint && mocha', build: 'rollup -c', lint: 'eslint .' }, 'rollup -c && mocha'],
  // What follows the tests and is no test goes, too; other tests stay.
  [{ test: 'xo && node --test && del-cli dist && tsc && tsd' }, 'node --test'],
  [{ test: 'eslint . && mocha && node test/integration.js' }, 'mocha && node test/integration.js'],
  [
    { test: 'eslint . && vitest run && npm run -s test:node', 'test:node': 'node a.js' },
    'vitest run && npm run -s test:node',
  ],
  [
    {
      pretest: 'npm run --silent readme && npm run --silent lint',
      readme: 'evalmd README.md',
      lint: 'eslint .',
      test: 'npm run tests-only',
      'tests-only': "nyc tape 'test/**/*.js'",
      posttest: "npx npm@'>=10.2' audit --production",
    },
    "nyc tape 'test/**/*.js'",
  ],
  [{ test: 'npm run -s lint && mocha', lint: 'eslint .', postlint: 'eclint check $(git ls-files | xargs)' }, 'mocha'],
  [{ test: 'tap', posttest: 'npm run lint', lint: 'eslint .', postlint: 'template-oss-check' }, 'tap'],
  [{ test: 'tsc --project tests/types/tsconfig.json && tap run' }, 'tap run'],
])('of %o the tests are left', (scripts, expected) => {
  expect(left(scripts)).toBe(expected);
});

test.each([
  [{ test: 'nyc mocha --recursive' }, 'mocha --recursive'],
  [{ test: 'eslint . && c8 --exclude build -r text node_modules/.bin/mocha' }, 'node_modules/.bin/mocha'],
  [{ test: 'rollup -c && cross-env A=1 nyc --reporter=lcov mocha' }, 'rollup -c && cross-env A=1 mocha'],
  [{ test: 'vitest run --typecheck --coverage --coverage.all=false' }, 'vitest run --typecheck'],
  [{ test: 'jest tests --coverage' }, 'jest tests'],
  // The tests need the module that nyc loads into them.
  [{ test: 'nyc --require esm mocha' }, null],
  [{ test: 'mocha' }, null],
  [{ test: 'nyc node run.js' }, null],
])('of %o the tests are left without their coverage', (scripts, expected) => {
  const project = describeProject({ manifest: JSON.stringify({ scripts }) }, []);
  const command = findPackageScript(project, 'test')!;
  const plain = removeChecks(command, project) ?? command;
  expect(removeCoverage(plain, project)?.command.join(' ') ?? null).toBe(expected);
});

test('type tests go, too, if the linter before them is left out already', () => {
  const manifest = JSON.stringify({ scripts: { test: 'xo && ava && tsd' }, devDependencies: { xo: '1' } });
  const project = describeProject({ manifest }, ['node_modules/.bin/xo']);
  const tests = detectTests(project, '')!;
  expect(tests.command).toEqual(['ava && tsd']);
  expect(removeChecks(tests, project)?.command).toEqual(['ava']);
});

test('a command that a person has set stays as it is', () => {
  const project = describeProject({ manifest: '{}' }, []);
  expect(removeChecks(detectTests(project, 'ava && tsd')!, project)).toBeNull();
});

test.each([
  [{ test: 'vitest run' }],
  [{ test: 'tsc && mocha' }],
  // The names of scripts say nothing about what they do.
  [{ test: 'npm run -s tsc && mocha dist/test', tsc: 'tsc' }],
  [{ test: 'NODE_ENV=test npm run types && mocha', types: 'openapi-typescript a.yaml -o b.ts' }],
  [{ test: 'pnpm --filter types build && mocha', types: 'eslint .' }],
  [{ test: 'tsc --noEmit false && mocha' }],
  [{ test: 'npm run -s lint && mocha', lint: 'npm run -s lint' }],
  // Nothing would be left.
  [{ test: 'eslint . && tsc --noEmit' }],
  [{ test: 'eslint . || true; mocha' }],
  [{ test: 'npm run -s lint && mocha', lint: 'eslint .; tsc $(find src)' }],
  [{ test: 'tsc --project test/tsconfig.json && mocha dist/test' }],
])('%o stays as it is', (scripts) => {
  expect(left(scripts)).toBeNull();
});

test.each([
  ['exited', null, 'node --test'],
  ['notFound', null, 'node --test'],
  // A suite that takes too long would do so without its checks.
  ['timedOut', null, 'eslint . && node --test'],
  ['exited', 3, 'eslint . && node --test'],
] as const)('a check before the tests (%s, %s passed): %s runs', async (outcome, passed, expected) => {
  const project = describeProject({ manifest: JSON.stringify({ scripts: { test: 'eslint . && node --test' } }) }, []);
  const base = async ({ command }: DetectedCommand) =>
    command.join(' ').includes('eslint')
      ? { answer: { outcome }, value: passed && { passed, failed: 0 } }
      : { answer: { outcome: 'exited' }, value: { passed: 5, failed: 0 } };
  const baseline = { find: async () => undefined, keep: async () => undefined };
  const context = { settings: { testCommand: '' }, baseline };
  const run = createPart<ChoosingRun>({ context, project: async () => project, base });
  const chosen = await chooseTests(run, new AbortController().signal);
  expect(chosen?.command.command.join(' ')).toBe(expected);
});
