// Mistakes that no test notices, and tests that fail, found by real runs in a real sandbox.

import { afterAll, beforeAll, expect, test } from 'vitest';
import { describeMutant } from '../../../server/src/core/verify/guard/mutantRuns.ts';
import { determineStatuses, determineSurvivors } from '../../../server/src/core/verify/guard/survivors.ts';
import { withUnchangedTests, type UnchangedTests } from '../../../server/src/core/verify/testing/unchangedTests.ts';
import { findFailingTests } from '../../../server/src/core/verify/testing/failingTests.ts';
import { never } from '../../adapters/sandbox/sandboxOf.ts';
import { contextOf, mutantsOnly, verifying, type Overrides, type Verifying } from './verifying.ts';
import { WITHOUT_MANAGER } from '../../helpers/manifest.ts';
import { thoroughTest } from '../../helpers/thorough.ts';

const code = `export function fee(amount) {
  if (amount > 100) return 0;
  return amount * 2;
}

export function unused(flag) {
  return flag ? 1 : 2;
}
`;
const files = {
  'package.json': JSON.stringify({ type: 'module', scripts: { test: 'node --test' }, ...WITHOUT_MANAGER }),
  'fee.js': code,
  'README.md': 'Fees.\n',
  'fee.test.js': `import assert from 'node:assert/strict';
import { test } from 'node:test';
import { fee } from './fee.js';

test('small', () => assert.equal(fee(3), 6));
test('large', () => assert.equal(fee(1000), 0));
test('wrong', () => assert.equal(fee(1), 7));
`,
};
let given: Verifying;
beforeAll(async () => {
  given = await verifying(files);
});
afterAll(() => given[Symbol.asyncDispose]());
const context = (overrides: Overrides = {}) =>
  contextOf(given, { proof: mutantsOnly, reachingTests: async () => ['fee.test.js'], ...overrides });

test('mistakes that no test notices are told by their places, those that a test notices are not', async () => {
  const found = await determineSurvivors(context(), { path: 'fee.js', text: code }, 100, never);
  if ('refused' in found) throw new Error(found.refused);
  const told = found.missed.map(describeMutant);
  expect(told).toContain('fee.js:2 > → >=');
  expect(told.some((one) => one.startsWith('fee.js:7 '))).toBe(true);
  expect(told.some((one) => one.startsWith('fee.js:3 '))).toBe(false);
  expect(found.judged).toBeGreaterThan(found.missed.length);
  expect(found.testFiles).toEqual(['fee.test.js']);
});

test.each([
  [
    'a file without code',
    {},
    { path: 'README.md', text: 'Fees.\n' },
    /holds no TypeScript, JavaScript, Python or Go that runs/,
  ],
  ['tests that do not run', { settings: { testCommand: 'false' } }, { path: 'fee.js', text: code }, /do not run here/],
])('%s gives no mistakes, and a reason', async (_what, overrides, source, why) => {
  expect(await determineSurvivors(context(overrides), source, 100, never)).toEqual({
    refused: expect.stringMatching(why),
  });
});

test('if no mistake can be run, that is said, and not that there is none', async () => {
  const reached = code.slice(0, code.indexOf('\nexport function unused'));
  const guard = `import { readFileSync } from 'node:fs';
const text = readFileSync('fee.js', 'utf8');
if (text !== ${JSON.stringify(reached)} && !text.includes('__selfware')) {
  console.error('fee.js(1,1): error TS2322: the code is not as the type check wants it');
  process.exit(2);
}
`;
  await using other = await verifying({ ...files, 'fee.js': reached, 'guard.mjs': guard });
  const found = await determineSurvivors(
    contextOf(other, {
      proof: mutantsOnly,
      reachingTests: async () => ['fee.test.js'],
      settings: { testCommand: 'node guard.mjs && node --test' },
    }),
    { path: 'fee.js', text: reached },
    100,
    never,
  );
  expect(found).toEqual({
    refused: expect.stringMatching(/^No planted mistake could be run in fee\.js: .* name another file\.$/),
  });
});

test('with mutants switched off nothing is tried', async () => {
  expect(await determineSurvivors(context(), { path: 'fee.js', text: code }, 0, never)).toEqual({
    refused: expect.stringContaining('switched off'),
  });
});

test('a failing test is told with what its runner says', async () => {
  const failing = await findFailingTests(context(), never);
  if ('refused' in failing) throw new Error(failing.refused);
  expect(failing.map(({ name, file }) => [file, name])).toEqual([['fee.test.js', 'wrong']]);
  expect(failing[0]?.failure).toContain('7');
  expect(await findFailingTests(context({ settings: { testCommand: 'true' } }), never)).toHaveProperty('refused');
});

thoroughTest('what a test file reaches that does not run with probes is found out without them', async () => {
  const tests = `import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { unused } from './fee.js';
if (readFileSync('fee.js', 'utf8').includes('__selfware')) throw new Error('The code was changed.');
test('not used', () => assert.equal(unused(false), 2));
`;
  await using other = await verifying({ ...files, 'other.test.js': tests });
  const reachingTests = async () => ['fee.test.js', 'other.test.js'];
  const found = await determineSurvivors(
    contextOf(other, { proof: mutantsOnly, reachingTests }),
    { path: 'fee.js', text: code },
    200,
    never,
  );
  if ('refused' in found) throw new Error(found.refused);
  const told = found.missed.map(describeMutant);
  expect(told).toContain('fee.js:2 > → >=');
  expect(told).not.toContain('fee.js:7 2 → 3');
});

test('if each mistake needs a run of its own, that is told, and only the chosen ones are tried', async () => {
  const sources = [{ path: 'fee.js', text: code }];
  const plan = await mutantsOnly.planMutants([{ path: 'fee.js', before: '', after: code }], 50);
  const chosen = plan.mutants.find(({ shown }) => shown === '> → >=')!;
  let isApart = false;
  const look = (tests: UnchangedTests) => {
    const trial = { context: context(), tests, testFiles: ['fee.test.js'], sources, plan };
    return determineStatuses(
      { ...trial, chosenMutants: new Set([chosen]), onNeedsSeparateRuns: () => (isApart = true) },
      100,
      never,
    );
  };
  const fates = await withUnchangedTests(context(), 'Looking', never, look, ['fee.test.js']);
  if (fates === null || 'refused' in fates) throw new Error('No test passes.');
  expect([...fates]).toEqual([[chosen, 'survived']]);
  expect(isApart).toBe(true);
});

test('a trial that is stopped answers with the mistakes that were judged by then', async () => {
  const sources = [{ path: 'fee.js', text: code }];
  const plan = await mutantsOnly.planMutants([{ path: 'fee.js', before: '', after: code }], 50);
  const stop = new AbortController();
  let runs = 0;
  const look = (tests: UnchangedTests) => {
    const commands = {
      ...tests.commands,
      rerun: (...request: Parameters<typeof tests.commands.rerun>) => {
        runs += 1;
        if (runs === 4) stop.abort();
        return tests.commands.rerun(...request);
      },
    } as UnchangedTests['commands'];
    const trial = {
      context: context(),
      tests: { ...tests, commands },
      testFiles: ['fee.test.js'],
      needsSeparateRuns: true,
    };
    return determineStatuses({ ...trial, sources, plan, stop: stop.signal }, 100, stop.signal);
  };
  const fates = await withUnchangedTests(context(), 'Looking', never, look, ['fee.test.js']);
  if (fates === null || 'refused' in fates) throw new Error('No test passes.');
  const ran = [...fates.values()].filter((fate) => fate !== 'unreached');
  expect(ran.length).toBeGreaterThan(0);
  expect(fates.size).toBeLessThan(plan.mutants.length);
});

test('tests that take longer than the time for all mistakes are not run', async () => {
  const sources = [{ path: 'fee.js', text: code }];
  const plan = await mutantsOnly.planMutants([{ path: 'fee.js', before: '', after: code }], 50);
  let runs = 0;
  const look = (tests: UnchangedTests) => {
    const { base } = tests.chosen;
    const slow = { ...tests.chosen, base: { ...base, answer: { ...base.answer, millis: 101_000 } } };
    const commands = {
      ...tests.commands,
      rerun: (...request: Parameters<typeof tests.commands.rerun>) => {
        runs += 1;
        return tests.commands.rerun(...request);
      },
    } as UnchangedTests['commands'];
    const trial = { context: context(), tests: { ...tests, commands, chosen: slow }, testFiles: ['fee.test.js'] };
    return determineStatuses({ ...trial, sources, plan }, 100, never);
  };
  const fates = await withUnchangedTests(context(), 'Looking', never, look, ['fee.test.js']);
  expect([fates, runs]).toEqual([new Map(), 0]);
});

test('a file whose mistakes were not tried for lack of time is not said to have none', async () => {
  expect(await determineSurvivors(context(), { path: 'fee.js', text: code }, 0.001, never)).toEqual({
    refused: expect.stringMatching(
      /No mistake in fee\.js was tried, .* take longer than `selfware\.verify\.guardSeconds`/,
    ),
  });
});
