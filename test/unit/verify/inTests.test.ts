// Mutants inside a real test runner: one run of its own command says of each which test notices it, if any.

import { execFile } from 'node:child_process';
import { mkdir, mkdtemp, readFile, realpath, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { locateHarness } from '../../../server/src/app/programPaths.ts';
import { ORDER_VARIABLE } from '../../../server/src/core/verify/guard/inTests.ts';
import { parseResultLines, readMutantStatuses } from '../../../server/src/core/verify/guard/inProcess.ts';
import { planMutants } from '../../../server/src/core/verify/guard/planMutants.ts';
import { sample } from '../../helpers/thorough.ts';

const source = `const made = start();
function start() {
  return 1;
}
export function price(count) {
  if (count > 9) {
    return count * 4;
  }
  return count * 5;
}
export function down(from) {
  while (from > 0) {
    from -= 1;
  }
  return from;
}
export function unused() {
  return made;
}
let kept;
function table() {
  return { size: 7 };
}
export function size() {
  kept ??= table();
  return kept.size;
}
`;
/** As Jest reads it without a compiler. */
const required = `${source.replaceAll('export function', 'function')}module.exports = { price, down, unused, size };
`;
const tests = (head: string) => `${head}
let runs = 0;
describe('prices', () => {
  let each = 0;
  beforeEach(() => { each = price(1); });
  it('takes the usual price for a few', () => { assert.equal(price(2), 10); });
  it('knows the price of one', () => { assert.equal(each, 5); });
  it('is a number for many', () => { assert.equal(typeof price(10), 'number'); });
  it('counts down', () => { assert.equal(down(3), 0); });
  it('keeps its size', () => { assert.equal(size(), 7); });
  it('runs once', () => { runs += 1; assert.equal(runs, 1); });
});
`;
const testsOfAva = `import test from 'ava';
import { setTimeout as later } from 'node:timers/promises';
import { price, down, size } from '../src/price.js';
let runs = 0;
test.beforeEach((t) => { t.context.each = price(1); });
test('takes the usual price for a few', async (t) => { await later(1); t.is(price(2), 10); });
test('knows the price of one', (t) => { t.is(t.context.each, 5); });
test('is a number for many', (t) => { t.is(typeof price(10), 'number'); });
test('counts down', (t) => { t.is(down(3), 0); });
test('keeps its size', (t) => { t.is(size(), 7); });
test('may try', async (t) => { (await t.try('once', (tt) => tt.is(price(2), 10))).commit(); });
test.serial('runs once', (t) => { runs += 1; t.is(runs, 1); });
test.failing('is not free', (t) => { t.is(price(1), 0); });
`;
const testsDelayed = `import assert from 'node:assert/strict';
setImmediate(async () => {
  const { price, down, size } = await import('../src/price.js');
${tests('')}  run();
});
`;
const ava = { file: 'test/price.js', program: 'ava/entrypoints/cli.mjs', text: source, tests: testsOfAva } as const;
const runners = {
  ava: { ...ava, words: ['--timeout=10s'] },
  'ava in processes': { ...ava, words: ['--no-worker-threads', '--concurrency=2'] },
  mocha: {
    head: "import assert from 'node:assert/strict';\nimport { price, down, size } from '../src/price.js';",
    file: 'test/price.js',
    program: 'mocha/bin/mocha.js',
    words: ['--reporter', 'json', 'test/price.js'],
    text: source,
  },
  'mocha with --delay': {
    ...{ file: 'test/price.js', program: 'mocha/bin/mocha.js', text: source, tests: testsDelayed },
    words: ['--delay', 'test/price.js'],
  },
  jest: {
    head: "const assert = require('node:assert/strict');\nconst { price, down, size } = require('../src/price.js');",
    file: 'test/price.test.js',
    program: 'jest/bin/jest.js',
    words: ['--coverage', '--maxWorkers=2'],
    text: required,
  },
  'node with all files': {
    head:
      "import assert from 'node:assert/strict';\nimport { beforeEach, describe, it } from 'node:test';\nimport " +
      "{ price, down, size } from '../src/price.js';",
    file: 'test/price.js',
    program: null,
    words: ['--test', '--test-concurrency=1'],
    text: source,
  },
  'node with require': {
    head:
      "const { beforeEach, describe, it } = require('node:test');\nconst assert = require('node:assert/strict');\n" +
      "const { price, down, size } = require('../src/price.js');",
    file: 'test/price.cjs',
    program: null,
    words: ['--test', '--test-reporter=tap'],
    text: source,
  },
  vitest: {
    head:
      "import assert from 'node:assert/strict';\nimport { beforeEach, describe, it } from 'vitest';\nimport " +
      "{ price, down, size } from '../src/price.js';",
    file: 'test/price.test.js',
    program: 'vitest/vitest.mjs',
    words: ['run', '--coverage'],
    text: source,
  },
} as const;

/** The fates of the mutants. `others`: further files. `complete`: whether all test files say what they reach. */
async function fates(
  runner: keyof typeof runners,
  others: Readonly<Record<string, string>> = {},
  complete = true,
): Promise<Readonly<Record<string, string>>> {
  const { file, program, words, text, ...more } = runners[runner];
  const name = runner.split(' ', 1)[0]!;
  const dir = await realpath(await mkdtemp(join(tmpdir(), 'selfware-in-tests-')));
  try {
    const ours = join(import.meta.dirname, '..', '..', '..', 'node_modules');
    for (const folder of ['src', 'test', 'node_modules']) await mkdir(join(dir, folder));
    if (program !== null) await symlink(join(ours, name), join(dir, 'node_modules', name));
    const { mutants, schemata } = planMutants([{ path: 'src/price.js', before: '', after: text }], 100, () => false);
    const [order, results] = [join(dir, 'order.json'), join(dir, 'results.txt')];
    const numbers = mutants.map((_, index) => index);
    await Promise.all([
      writeFile(join(dir, 'package.json'), runner === 'jest' ? '{"jest": {"transform": {}}}' : '{"type": "module"}'),
      writeFile(join(dir, 'src/price.js'), schemata.files[0]!.text),
      writeFile(join(dir, file), 'head' in more ? tests(more.head) : more.tests),
      // With a second file, Jest has workers.
      ...(runner === 'jest'
        ? [writeFile(join(dir, 'test/other.test.js'), "it('is another', () => undefined);\n")]
        : []),
      ...Object.entries(others).map(([path, content]) => writeFile(join(dir, path), content)),
      writeFile(order, JSON.stringify({ mutants: numbers, until: Date.now() + 600_000, results })),
      writeFile(results, ''),
    ]);
    await new Promise<void>((resolve) => {
      const { NODE_OPTIONS: _own, VITEST: _vitest, ...env } = process.env;
      execFile(
        process.execPath,
        [...(program === null ? [] : [join(ours, program)]), ...words],
        {
          cwd: dir,
          env: { ...env, NODE_OPTIONS: `--import=${locateHarness(false).inTests}`, [ORDER_VARIABLE]: order },
        },
        () => resolve(),
      );
    });
    const { complete: isComplete, statusOf } = readMutantStatuses(
      parseResultLines(await readFile(results, 'utf8')),
      [],
    );
    expect(isComplete).toBe(complete);
    return Object.fromEntries(mutants.map(({ line, shown }, index) => [`${line} ${shown}`, statusOf(index)]));
  } finally {
    await rm(dir, { recursive: true, force: true });
  }
}

const MINUTE = 60_000;

test.each(Object.keys(runners) as (keyof typeof runners)[])(
  '%s says of each mutant which tests notice it',
  async (runner) => {
    const found = await fates(runner);
    expect(found).toMatchObject({
      '9 * → /': 'noticed',
      '9 5 → 6': 'noticed',
      '6 count > 9 → true': 'noticed',
      // Its tests ask only for a number.
      '7 * → /': 'survived',
      '7 count * 4 → undefined': 'noticed',
      // A loop that never ends is ended where it asks for the mutant.
      '13 -= → +=': 'noticed',
      '18 made → undefined': 'unreached',
    });
    // Jest and Vitest load modules again. In the others, what was made once stays, so a run of its own has to judge it.
    const isLoadedAgain = runner === 'jest' || runner === 'vitest';
    expect(found['3 1 → 2']).toBe(isLoadedAgain ? 'survived' : 'own');
    expect(found['22 7 → 8']).toBe(isLoadedAgain ? 'noticed' : 'own');
  },
  2 * MINUTE,
);

test(
  'with Jest, no further test runs with a mutant that one has noticed',
  async () => {
    const folder = await mkdtemp(join(tmpdir(), 'selfware-prices-'));
    onTestFinished(() => rm(folder, { recursive: true }));
    const prices = join(folder, 'prices.txt');
    const other = `const { price } = require('../src/price.js');
const { appendFileSync } = require('node:fs');
it('knows the price', () => expect(price(2)).toBe(10));
it('writes the price', () => appendFileSync(${JSON.stringify(prices)}, price(2) + ' '));
`;
    await fates('jest', { 'test/written.test.js': other });
    expect(new Set((await readFile(prices, 'utf8')).trim().split(' '))).toEqual(new Set(['10']));
  },
  2 * MINUTE,
);

test.each(sample(['jest.retryTimes(1);', 'jest.retryTimes(1, { entireDescribe: true });'], 1))(
  'with Jest, a test that is retried notices a mutant: %s',
  async (retry) => {
    const retried = `const { price } = require('../src/price.js');
describe('many', () => {
  ${retry}
  it('are cheaper', () => expect(price(10)).toBe(40));
  it('have a price', () => expect(price(11)).toBeDefined());
});
`;
    const found = await fates('jest', { 'test/retried.test.js': retried });
    expect(found).toMatchObject({ '7 * → /': 'noticed', '9 * → /': 'noticed' });
  },
  2 * MINUTE,
);

test(
  'files of node:test may skip tests, nest them, use callbacks, and hold no tests at all',
  async () => {
    const other = `import test, { describe, it } from 'node:test';
import assert from 'node:assert/strict';
import { price, down } from '../src/price.js';
describe('later', { skip: true }, () => { it('fails', () => assert.fail()); });
it['skip']('fails', () => assert.fail());
it('is to be done', { todo: true }, () => { assert.equal(down(1), 5); });
test('holds others', async (t) => { await t.test('is nothing for nothing', () => assert.equal(price(0), 0)); });
it('ends later', (t, done) => { setImmediate(() => done(price(11) === 44 ? null : new Error('no'))); });
`;
    const others = { 'test/others.js': other, 'test/none.js': "import '../src/price.js';\n" };
    const found = await fates('node with all files', others);
    expect(found).toMatchObject({
      '9 * → /': 'noticed',
      // The test with a callback knows the number.
      '7 * → /': 'noticed',
      '13 -= → +=': 'noticed',
      '18 made → undefined': 'unreached',
    });
  },
  2 * MINUTE,
);

test(
  'a file of node:test counts as loaded when all of its code has run',
  async () => {
    const late = `import { it } from 'node:test';
import assert from 'node:assert/strict';
import { unused } from '../src/price.js';
it('is early', () => undefined);
await new Promise((resolve) => setTimeout(resolve, 400));
it('is late', () => { assert.equal(unused(), 1); });
`;
    const found = await fates('node with all files', { 'test/late.js': late });
    expect(found).toMatchObject({ '9 * → /': 'noticed', '18 made → undefined': 'noticed' });
  },
  2 * MINUTE,
);

/** Files of node:test, whose tests are the only ones that know what `price(10)` is. */
const onlyNodeSees = {
  'a plan': "test('plans', (t) => { t.plan(1); if (price(10) === 40) t.assert.ok(true); });",
  'a hook of the test': "test('cleans up', (t) => { t.after(() => assert.equal(price(10), 40)); });",
  'a time limit': "test('is quick', { timeout: 400 }, async () => { await later(price(10) === 40 ? 1 : 800); });",
  'a test in a test': "test('holds one', async () => { await test('inner', () => assert.equal(price(10), 40)); });",
  'a last hook of the file': "after(() => assert.equal(price(10), 40)); test('calls', () => void price(10));",
  'tests of a group that share the time': `describe('outer', { concurrency: true }, () => {
  describe('inner', () => {
    it('knows', async () => { await later(100); assert.equal(price(10), 40); });
    it('calls', async () => { await later(200); price(10); });
  });
});`,
};

test.each(Object.entries(onlyNodeSees))(
  'with node:test, %s notices a mutant',
  async (_, text) => {
    const head = `import test, { after, describe, it } from 'node:test';
import assert from 'node:assert/strict';
import { setTimeout as later } from 'node:timers/promises';
import { price } from '../src/price.js';
`;
    const found = await fates('node with all files', { 'test/others.js': `${head}${text}\n` });
    expect(found).toMatchObject({ '7 * → /': 'noticed', '9 * → /': 'noticed' });
  },
  2 * MINUTE,
);

test(
  'a time limit of a group of node:test leaves its mutants to runs of their own',
  async () => {
    const limited = `import { describe, it } from 'node:test';
import { price } from '../src/price.js';
describe('all', { timeout: 5000 }, () => { it('calls', () => void price(10)); });
`;
    const found = await fates('node with all files', { 'test/limited.js': limited });
    expect(found).toMatchObject({ '7 * → /': 'own', '9 * → /': 'noticed' });
  },
  2 * MINUTE,
);

test(
  'a test file of AVA that does not load with mutants compiled in leaves unknown what its tests would reach',
  async () => {
    const broken = `import test from 'ava';
import { readFileSync } from 'node:fs';
import { unused } from '../src/price.js';
if (readFileSync('src/price.js', 'utf8').includes('__selfwareMutant')) throw new Error('The code was changed.');
test('is one', (t) => { t.is(unused(), 1); });
`;
    const found = await fates('ava', { 'test/broken.js': broken }, false);
    expect(found).toMatchObject({ '9 * → /': 'noticed', '18 made → undefined': 'pending' });
  },
  2 * MINUTE,
);

test('a process that was ended says nothing of what it had not told', () => {
  const lines = [
    { file: 'a', reached: [0, 1, 2, 3], tests: 2, unsteady: [] },
    { begun: 0, file: 'a' },
    { fate: 'noticed', mutant: 0, file: 'a', by: 't', tests: 1 },
    { begun: 1, file: 'a' },
    { fate: 'survived', mutant: 1, file: 'a', tests: 2 },
    { begun: 2, file: 'a' },
  ] as const;
  const of = (more: Parameters<typeof readMutantStatuses>[0], files: readonly string[] = []) => {
    const { complete, statusOf } = readMutantStatuses([...lines, ...more], files);
    return [complete, ...[0, 1, 2, 3, 4].map(statusOf)];
  };
  expect(of([])).toEqual([false, 'noticed', 'pending', 'own', 'pending', 'pending']);
  expect(of([{ hung: 2 }])).toEqual([false, 'noticed', 'pending', 'stopped', 'pending', 'pending']);
  expect(of([{ spoiled: 2, file: 'a' }])).toEqual([false, 'noticed', 'pending', 'spoiled', 'pending', 'pending']);
  const survived = { fate: 'survived', mutant: 2, file: 'a', tests: 2 } as const;
  expect(of([survived, { ended: 'a' }])).toEqual([true, 'noticed', 'survived', 'survived', 'pending', 'unreached']);
  // Another file has not been heard.
  expect(of([survived, { ended: 'a' }], ['a', 'b'])).toEqual([
    false,
    'noticed',
    'pending',
    'pending',
    'pending',
    'pending',
  ]);
  // A run that was ended may have left out files that had not begun.
  expect(readMutantStatuses([...lines, survived, { ended: 'a' }], [], false).complete).toBe(false);
  expect(of([survived, { outside: 1 }, { ended: 'a' }])[2]).toBe('own');
  expect(parseResultLines('{"ended":""}\n{"fate":"noti')).toEqual([{ ended: '' }]);
});
