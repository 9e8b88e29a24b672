// Tests that need what the package script `build` makes: real scripts in real sandboxes.

import { expect, test } from 'vitest';
import { createBaselineCache } from '../../../server/src/core/verify/baseline.ts';
import { addBuildFirst } from '../../../server/src/core/verify/detect/buildFirst.ts';
import { describeProject } from '../../../server/src/core/verify/detect/project.ts';
import { detectTests } from '../../../server/src/core/verify/detect/testCommand.ts';
import { edit, toldBy, verifying, watched } from './verifying.ts';
import { thoroughTest } from '../../helpers/thorough.ts';

const lib = 'exports.sum = (a, b) => a + b;\n';
const specs =
  "const assert = require('node:assert');\nconst { test } = require('node:test');\nconst { sum } = require('./dist/lib.js');\ntest('adds', () => assert.equal(sum(1, 2), 3));\n";
const files = (build: string) => ({
  '.gitignore': 'node_modules\ndist\n',
  'package.json': JSON.stringify({ scripts: { build, test: 'node --test specs.js' } }),
  'lib.js': lib,
  'specs.js': specs,
});

test('tests that fail without the build are run behind it, and the choice is remembered', async () => {
  await using given = await verifying(files('mkdir -p dist && cp lib.js dist/'));
  const { sandbox, lines } = watched(given);
  const known = { sandbox, baseline: createBaselineCache(), only: ['applies', 'tests'] as const, treeKey: () => null };
  const check = async (after: string, expected: string) =>
    expect(toldBy('tests', await given.verify([edit('lib.js', lib, after)], known))).toBe(expected);
  await check(`// Adds.\n${lib}`, 'tests passed: 1 test passed.');
  expect(lines.splice(0).filter((line) => !line.includes('cp lib.js'))).toHaveLength(1);
  await check(lib.replace('a + b', 'a - b'), 'tests failed: 1 test fails with the change and not without it: adds.');
  expect(lines.splice(0).filter((line) => !line.includes('cp lib.js'))).toEqual([]);
});

test('a build that does not help is tried once, and left alone', async () => {
  await using given = await verifying(files('echo built'));
  const { sandbox, lines } = watched(given);
  const known = { sandbox, baseline: createBaselineCache(), only: ['applies', 'tests'] as const, treeKey: () => null };
  for (const builds of [1, 0]) {
    expect(toldBy('tests', await given.verify([edit('lib.js', lib, `// Adds.\n${lib}`)], known))).toBe(
      'tests unknown: No test passes, with or without the change.',
    );
    expect(lines.splice(0).filter((line) => line.includes('echo built'))).toHaveLength(builds);
  }
});

thoroughTest('a build is tried for one red test among many only if that test lacks a file', async () => {
  const green = Array.from({ length: 20 }, (_, number) => `test('is green ${number}', () => {});\n`).join('');
  const check = async (red: string, build: string, expected: string, builds: number) => {
    await using given = await verifying({
      ...files(build),
      'specs.js': `const assert = require('node:assert');\nconst { test } = require('node:test');\n${green}test('is red', () => ${red});\n`,
    });
    const { sandbox, lines } = watched(given);
    const known = { sandbox, only: ['applies', 'tests'] as const, treeKey: () => null };
    expect(toldBy('tests', await given.verify([edit('lib.js', lib, `// Adds.\n${lib}`)], known))).toBe(expected);
    expect(lines.filter((line) => line.includes(build))).toHaveLength(builds);
  };
  const still = 'tests passed: Already failing: 1 test fails with and without the change; 20 passed.';
  await check('assert.equal(1, 2)', 'echo built', still, 0);
  await check("require('node:fs').readFileSync('dist/missing.txt')", 'echo built', still, 1);
  await check("require('./dist/lib.js')", 'mkdir -p dist && cp lib.js dist/', 'tests passed: 21 tests passed.', 2);
});

thoroughTest('tests that leave a timer running are told to end, once that is known', async () => {
  const left =
    "const assert = require('node:assert');\nconst { sum } = require('../lib.js');\nsetInterval(() => {}, 1000);\nit('adds', () => assert.equal(sum(1, 2), 3));\n";
  await using given = await verifying(
    { 'package.json': JSON.stringify({ scripts: { test: 'mocha' } }), 'lib.js': lib, 'test/lib.js': left },
    ['mocha'],
  );
  const { sandbox, lines } = watched(given);
  const known = {
    sandbox,
    baseline: createBaselineCache(),
    only: ['applies', 'tests'] as const,
    settings: { timeoutSeconds: 15 },
    treeKey: () => null,
  };
  const check = async (after: string, expected: string) =>
    expect(toldBy('tests', await given.verify([edit('lib.js', lib, after)], known))).toBe(expected);
  await check(`// Adds.\n${lib}`, 'tests passed: 1 test passed.');
  expect(lines.splice(0).map((line) => line.includes(' --exit'))).toEqual([false, true, true]);
  await check(lib.replace('a + b', 'a - b'), 'tests failed: 1 test fails with the change and not without it: adds.');
  expect(lines.every((line) => line.includes(' --exit'))).toBe(true);
});

thoroughTest('what is told to end is told so behind the build as well', async () => {
  const left =
    "const assert = require('node:assert');\nsetInterval(() => {}, 1000);\nit('adds', () => assert.equal(require('../lib.js').sum(1, 2), 3));\nit('is red', () => assert.fail());\n";
  await using given = await verifying(
    {
      'package.json': JSON.stringify({ scripts: { build: 'true', test: 'mocha' } }),
      'lib.js': lib,
      'test/lib.js': left,
    },
    ['mocha'],
  );
  const { sandbox, lines } = watched(given);
  const known = {
    sandbox,
    baseline: createBaselineCache(),
    only: ['applies', 'tests'] as const,
    settings: { timeoutSeconds: 15 },
    treeKey: () => null,
  };
  expect(toldBy('tests', await given.verify([edit('lib.js', lib, `// Adds.\n${lib}`)], known))).toBe(
    'tests passed: Already failing: 1 test fails with and without the change; 1 passed.',
  );
  expect(lines.filter((line) => !line.includes(' --exit'))).toHaveLength(1);
});

test('the line behind the build', () => {
  const check = (scripts: Record<string, string>, expected: string | null, setting = '') => {
    const project = describeProject({ manifest: JSON.stringify({ scripts }) }, []);
    expect(addBuildFirst(project, detectTests(project, setting)!)?.command[0] ?? null, JSON.stringify(scripts)).toBe(
      expected,
    );
  };
  check({ build: 'tsc', test: 'mocha' }, 'tsc && mocha');
  check(
    { prebuild: 'rm -r dist', build: 'tsc', pretest: 'node gen.js', test: 'mocha', posttest: 'c8 report' },
    'rm -r dist && tsc && node gen.js && mocha && c8 report',
  );
  // Without a build, or with one that runs the tests itself.
  check({ compile: 'tsc', test: 'mocha' }, 'tsc && mocha');
  check({ build: 'npm run compile && npm test', compile: 'tsc', test: 'mocha' }, 'tsc && mocha');
  check({ compile: 'tsc', pretest: 'npm run compile', test: 'mocha' }, null);
  check({ test: 'mocha' }, null);
  check({ build: '', test: 'mocha' }, null);
  check({ build: 'tsc --watch', test: 'mocha' }, null);
  check({ build: 'tsc', test: 'npm run build && mocha' }, null);
  check({ build: 'tsc', pretest: 'npm run build', test: 'mocha' }, null);
  check({ build: 'tsc', test: 'mocha' }, null, 'jest');
});
