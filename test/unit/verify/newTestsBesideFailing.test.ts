// The claim `tests` where some tests in the same file fail without the change, too: what it may not be used for.

import { expect, test } from 'vitest';
import { isTestEdit } from '../../../server/src/core/paths/testEdits.ts';
import { explainChangedOutcome, failOnlyEarlierTests } from '../../../server/src/core/verify/claims/earlierOutcomes.ts';
import { planMutants } from '../../../server/src/core/verify/guard/planMutants.ts';
import type { TestCase } from '../../../server/src/core/verify/parse/testCounts.ts';
import { countTestCases } from '../../../server/src/core/verify/parse/testCounts.ts';
import type { TestRun } from '../../../server/src/core/verify/testing/testRun.ts';
import { verifyProposal } from '../../../server/src/core/verify/verify.ts';
import { createInProcessRunner, type RunnerOptions } from '../../helpers/inProcessRunner.ts';
import { manifestOf } from '../../helpers/manifest.ts';
import { never } from '../../adapters/sandbox/sandboxOf.ts';
import { contextOf, edit, mutantsOnly, pointsOf, proposalOf, told } from './verifying.ts';

const CODE = `export const state = { ready: false, value: 0 };
export function sum(a, b) {
  return a + b;
}
export function less(a, b) {
  return a - b;
}
`;
const HEAD = `import assert from 'node:assert/strict';
import { test, describe } from 'node:test';
import { state, sum, less } from './code.js';
`;
const SUM = "test('sum', () => assert.equal(sum(1, 2), 3));\n";
const BROKEN = "test('broken', () => assert.equal(sum(1, 2), 4));\n";
const MORE = "test('more', () => assert.equal(less(3, 1), 2));\n";

interface Attempt extends RunnerOptions {
  /** The tests before the change. */
  readonly before?: string;
  /** The tests with the change. */
  readonly after: string;
  /** Only the first mutant of this line is tried. */
  readonly line?: number;
}

/** The first verdict that refuses the proposal; if there is none, that on the claim. */
async function conclude({ before = SUM + BROKEN, after, line, ...options }: Attempt): Promise<string> {
  const files = { 'package.json': manifestOf('shop'), 'code.js': CODE, 'code.test.js': HEAD + before };
  const still = async () => ({ before: pointsOf({ codeQuality: 10 }), after: pointsOf({ codeQuality: 10 }) });
  const context = contextOf(
    { sandbox: createInProcessRunner(files, options) },
    {
      proof: {
        ...mutantsOnly,
        planMutants: async (edits) => {
          const plan = await planMutants(edits, 20, isTestEdit);
          const mutants = plan.mutants.filter((mutant) => mutant.line === line).slice(0, 1);
          return line === undefined ? plan : { ...plan, mutants };
        },
      },
      score: still,
      claimsOf: () => ['tests'],
      testedSources: async () => [{ path: 'code.js', text: CODE }],
    },
  );
  const edits = [edit('code.test.js', HEAD + before, HEAD + after)];
  const verdicts = told(await verifyProposal(context, proposalOf(edits), never));
  const isOf = (start: RegExp) => verdicts.find((verdict) => start.test(verdict));
  return isOf(/^\w+ failed/) ?? isOf(/^claim/) ?? 'not reached';
}

const PASSED = /^claim passed: 1 new test passes 5 times, and notices a mistake that no other test notices: code\.js:6/;

test('a new test beside one that fails anyway is proven', async () => {
  expect(await conclude({ after: SUM + BROKEN + MORE })).toMatch(PASSED);
  expect(await conclude({ after: MORE + SUM + BROKEN })).toMatch(PASSED);
});

test('it is proven even if the failing test passes with the mistake, so that as many fail', async () => {
  const broken = "test('broken', () => assert.equal(less(3, 1), 4));\n";
  expect(await conclude({ before: SUM + broken, after: SUM + broken + MORE, line: 6 })).toMatch(PASSED);
});

test('a new test that fails is refused, also under the name of one that fails anyway', async () => {
  const failing = (name: string) => `test('${name}', () => assert.equal(less(3, 1), 3));\n`;
  expect(await conclude({ after: SUM + BROKEN + MORE + failing('other') })).toMatch(/^tests failed: 1 test/);
  expect(await conclude({ after: SUM + BROKEN + MORE + failing('broken') })).toBe(
    'claim failed: With the new tests, the outcome of “code.test.js › broken” is “failed, failed”, and without them “failed”.',
  );
  // Names that differ in a long number are the same test.
  const numbered = (number: number) => `test('broken ${number}', () => assert.equal(less(3, 1), 3));\n`;
  const before = SUM + numbered(11_111);
  expect(await conclude({ before, after: before + MORE + numbered(22_222) })).toBe(
    'claim failed: With the new tests, the outcome of “code.test.js › broken #” is “failed, failed”, and without them “failed”.',
  );
});

test('a new test with the name of an earlier one is refused', async () => {
  const named = (name: string) => `test('${name}', () => assert.equal(less(4, 1), 3));\n`;
  expect(await conclude({ after: SUM + BROKEN + MORE + named('broken') })).toBe(
    'claim failed: With the new tests, the outcome of “code.test.js › broken” is “failed, passed”, and without them “failed”.',
  );
  expect(await conclude({ after: SUM + BROKEN + MORE + named('sum') })).toBe(
    'claim failed: With the new tests, the outcome of “code.test.js › sum” is “passed, passed”, and without them “passed”.',
  );
  // Alone, it is none that is new.
  expect(await conclude({ after: SUM + BROKEN + named('broken') })).toBe('claim failed: No new test passes.');
});

test('a new group of tests cannot hide the names of an earlier one', async () => {
  const group = (body: string) => `describe('shop', () => {\n  ${body}});\n`;
  const before = SUM + group(BROKEN);
  const passing = "test('broken', () => assert.equal(less(3, 1), 2));\n";
  expect(await conclude({ before, after: before + group(MORE) })).toMatch(PASSED);
  expect(await conclude({ before, after: before + group(`${passing}  ${MORE}`) })).toBe(
    'claim failed: With the new tests, the outcome of “code.test.js › shop › broken” is “failed, passed”, and without them “failed”.',
  );
  // The test of that name is another one now.
  const shadowed = `describe('shop', () => {\n  const test = () => {};\n  ${BROKEN}});\n`;
  expect(await conclude({ before, after: SUM + shadowed + group(`${passing}  ${MORE}`) })).toBe(
    'claim failed: With the new tests, the outcome of “code.test.js › shop › broken” is “passed”, and without them “failed”.',
  );
});

test('a file that ends half way, so that earlier tests do not run, is refused', async () => {
  const exit = (code: number) => `test('end', () => process.exit(${code}));\n`;
  expect(await conclude({ before: BROKEN + SUM, after: BROKEN + MORE + exit(0) + SUM })).toMatch(/^tests failed: /);
  expect(await conclude({ before: BROKEN + SUM, after: BROKEN + MORE + exit(1) + SUM })).toMatch(/^tests failed: /);
  // Only a failing one does not run.
  expect(await conclude({ before: SUM + BROKEN, after: SUM + MORE + exit(1) + BROKEN })).toMatch(/ failed: /);
  const two = `${SUM}${BROKEN}test('broken, too', () => assert.equal(sum(1, 2), 5));\n`;
  const ended = two.replace("test('broken, too'", `${MORE}${exit(0)}$&`);
  expect(await conclude({ before: two, after: ended })).toBe(
    'claim failed: With the new tests, the outcome of “code.test.js › broken, too” is “absent”, and without them “failed”.',
  );
});

test('a new test that makes a failing one pass, or a passing one fail, is refused', async () => {
  const needy = "test('needy', () => assert.ok(state.ready));\n";
  const helping = "test('more', () => {\n  state.ready = true;\n  assert.equal(less(3, 1), 2);\n});\n";
  const changed =
    'claim failed: With the new tests, the outcome of “code.test.js › needy” is “passed”, and without them “failed”.';
  expect(await conclude({ before: needy + BROKEN, after: helping + needy + BROKEN })).toBe(changed);
  expect(await conclude({ before: SUM + needy, after: SUM + helping + needy })).toBe(changed);
  const early = "test('early', () => assert.ok(!state.ready));\n";
  expect(await conclude({ before: early + BROKEN, after: helping + early + BROKEN })).toMatch(
    /^tests failed: 1 test fails/,
  );
  // As many fail as before, but others do.
  const both = early + needy;
  expect(await conclude({ before: both, after: helping + both })).toMatch(/^tests failed: 1 test fails/);
});

test('a renamed or a removed test that fails anyway is refused', async () => {
  const two = `${BROKEN}test('broken, too', () => assert.equal(sum(1, 2), 5));\n`;
  expect(await conclude({ before: two, after: two.slice(BROKEN.length) + MORE })).toMatch(/^score failed: /);
  // What is left of it asserts, but does not run.
  expect(await conclude({ before: two, after: `${two.replace(BROKEN, `if (sum(1, 2) > 3) ${BROKEN}`)}${MORE}` })).toBe(
    'claim failed: With the new tests, the outcome of “code.test.js › broken” is “absent”, and without them “failed”.',
  );
  expect(await conclude({ before: two, after: two.replace("'broken'", "'other'") + MORE })).toMatch(/ failed: /);
});

test('beside a test that passes in one run and fails in another, nobody can say', async () => {
  let runs = 0;
  const random = () => ((runs += 1) % 2 === 1 ? 0.9 : 0.1);
  const flaky = "test('flaky', () => assert.ok(Math.random() < 0.5));\n";
  expect(await conclude({ before: flaky + BROKEN, after: flaky + BROKEN + MORE, random })).toMatch(
    /^claim unknown: In the same files, “code\.test\.js › flaky” passes in one run and fails in another/,
  );
});

test('a mistake counts only if a new test itself fails with it', async () => {
  // The earlier test fails with the mistake because of what the new one leaves behind.
  const leaving = "test('more', () => {\n  state.value = less(3, 1);\n  assert.notEqual(state.value, 7);\n});\n";
  const reading = "test('reading', () => assert.notEqual(state.value, 4));\n";
  const before = reading + BROKEN;
  expect(await conclude({ before, after: leaving + before, line: 6 })).toMatch(
    /^claim failed: The new tests notice none/,
  );
});

/** A run with these outcomes by name. */
function runOf(
  outcomes: Readonly<Record<string, TestCase['outcome']>>,
  more: Partial<TestRun['answer']> = {},
): TestRun {
  const cases = Object.entries(outcomes).map(
    ([name, outcome]): TestCase => ({ file: 'a.test.js', name, outcome, millis: 1 }),
  );
  const output = { stdout: '', output: '', report: null, line: 'mocha', isolation: 'bubblewrap' };
  const answer = { ...output, outcome: 'exited' as const, exitCode: 1, exceeded: null, millis: 1, ...more };
  return { answer, value: countTestCases(cases), touched: [] };
}

test('the comparison of outcomes by name', () => {
  const before = Array.from({ length: 5 }, () => runOf({ a: 'failed', b: 'passed', c: 'skipped' }));
  const reasonFor = (...after: readonly TestRun[]) => explainChangedOutcome(before, after);
  const added = { a: 'failed', b: 'passed', c: 'skipped', more: 'passed' } as const;
  expect(reasonFor(runOf(added), runOf(added))).toBeNull();
  expect(reasonFor(runOf({ ...added, a: 'passed', b: 'failed' }))).toMatchObject({ outcome: 'failed' });
  expect(reasonFor(runOf({ ...added, c: 'passed' }))).toMatchObject({ outcome: 'failed' });
  expect(reasonFor(runOf({ a: 'failed', b: 'passed', more: 'passed' }))).toMatchObject({ outcome: 'failed' });
  expect(reasonFor(runOf({ ...added, more: 'failed' }))).toMatchObject({ outcome: 'failed' });
  // What always passed may not begin to depend on chance; what failed may.
  expect(reasonFor(runOf(added), runOf({ ...added, b: 'failed' }))).toMatchObject({ outcome: 'failed' });
  expect(reasonFor(runOf(added), runOf({ ...added, a: 'passed' }))).toMatchObject({ outcome: 'unknown' });
  // An error that no test reports, and a run that ends early.
  expect(reasonFor(runOf(added, { exitCode: 7 }))).toMatchObject({ outcome: 'failed' });
  expect(reasonFor(runOf(added, { outcome: 'timedOut' }))).toMatchObject({ outcome: 'unknown' });
  expect(reasonFor({ ...runOf(added), value: { ...runOf(added).value!, cases: null } })).toMatchObject({
    outcome: 'unknown',
  });
  expect(failOnlyEarlierTests([runOf(added)], new Set(['a.test.js › a']))).toBe(true);
  expect(failOnlyEarlierTests([runOf(added)], new Set(['a.test.js › b']))).toBe(false);
});
