// How far a shared run of the tests reaches each of the changes that it was for: no further than a run of its own
// would.

import { expect, test } from 'vitest';
import type { FileEdit, Verdict } from '../../../server/src/core/model.ts';
import type { CheckedTogether } from '../../../server/src/core/verify/checkedTogether.ts';
import type { GateInput } from '../../../server/src/core/verify/gate.ts';
import type { TestCase, TestCounts } from '../../../server/src/core/verify/parse/testCounts.ts';
import { determineStrength } from '../../../server/src/core/verify/strength.ts';
import { findReach, runReachingTests } from '../../../server/src/core/verify/testing/reachingTestsFirst.ts';
import type { TestCommands } from '../../../server/src/core/verify/testing/testRun.ts';
import { createVerdictForOne } from '../../../server/src/core/verify/sharedVerdicts.ts';
import { never } from '../session/flawed.ts';
import { createPart } from '../../helpers/createPart.ts';

/** The test files that import each file; the runner does not run `b.perf.test.js`. */
const IMPORTERS: Readonly<Record<string, readonly string[]>> = {
  'a.js': ['a.test.js', 'both.test.js'],
  'b.js': ['b.perf.test.js'],
  'c.js': ['c.test.js', 'both.test.js'],
};

function edit(path: string): FileEdit {
  return { path, before: '', after: ' ' };
}

async function reachingTests(paths: readonly string[]): Promise<readonly string[]> {
  return paths.flatMap((path) => IMPORTERS[path] ?? []);
}

function one(file: string, outcome: TestCase['outcome'] = 'passed'): TestCase {
  return { file, name: file, outcome, millis: file === 'slow.test.js' ? 100 : 1 };
}

function countsOf(cases: readonly TestCase[] | null, passed = 0): TestCounts {
  const of = (outcome: string) => cases?.filter((each) => each.outcome === outcome).length;
  const counts = { passed: of('passed') ?? passed, failed: of('failed') ?? 0, skipped: of('skipped') ?? 0 };
  return { ...counts, failedNames: [], cases } as TestCounts;
}

function runOf(paths: readonly string[], context: Partial<GateInput['context']>): GateInput {
  return createPart<GateInput>({ edits: paths.map(edit), context });
}

/** What the gate tells of a run on all files; `answer`: what the reaching tests give if they run first. */
async function told(answer: TestCounts | null): Promise<CheckedTogether['reach']> {
  let reach: CheckedTogether['reach'] = null;
  const run = runOf(Object.keys(IMPORTERS), {
    reachingTests,
    placesReached: async () => null,
    onReach: (files) => void (reach = files),
  });
  Object.assign(run, { rerun: async () => ({ answer: { millis: 1 }, value: answer, touched: [] }) });
  const all = [one('a.test.js'), one('both.test.js'), one('c.test.js'), one('slow.test.js')];
  const commands = createPart<TestCommands>({ onFiles: () => (answer ? { command: ['run'] } : null) });
  const base = { value: countsOf(all), answer: { millis: 103 } };
  await runReachingTests(run, commands, base, never);
  return reach;
}

/** The share of the change of one file, with the strength that it gives. */
async function share(path: string, reach: CheckedTogether['reach']) {
  const shared: Verdict = {
    gate: 'tests',
    outcome: 'passed',
    reason: '4 tests passed.',
    evidence: { reachingFiles: 3, reachingPassed: 3, reachingSeconds: 1 },
    millis: 1,
  };
  const context = { reachingTests, placesReached: async () => null };
  const verdict = await createVerdictForOne(
    shared,
    { proposals: ['p', 'q'], reach },
    { id: 'p', edits: [edit(path)] },
    context,
  );
  const { reachingFiles, reachingPassed } = verdict.evidence;
  return { reachingFiles, reachingPassed, strength: determineStrength([verdict]) };
}

test('a test file that imports the change and did not run does not reach it', async () => {
  const reach = await told(null);
  expect(await share('a.js', reach)).toEqual({ reachingFiles: 2, reachingPassed: undefined, strength: 'tested' });
  expect(await share('b.js', reach)).toEqual({ reachingFiles: 0, reachingPassed: undefined, strength: 'unchecked' });
});

test('where the tests that reach the changes ran first, only those that reach this one count', async () => {
  const reach = await told(countsOf([one('a.test.js'), one('both.test.js', 'skipped'), one('c.test.js', 'skipped')]));
  expect(await share('a.js', reach)).toEqual({ reachingFiles: 2, reachingPassed: 1, strength: 'tested' });
  expect(await share('c.js', reach)).toEqual({ reachingFiles: 2, reachingPassed: 0, strength: 'unchecked' });
});

test('if that run does not name its tests, none passed for any of the changes only if none passed at all', async () => {
  expect(await share('c.js', await told(countsOf(null)))).toMatchObject({ reachingPassed: 0, strength: 'unchecked' });
  const reach = await told(countsOf(null, 2));
  expect(await share('c.js', reach)).toMatchObject({ reachingPassed: undefined, strength: 'tested' });
});

test('without names of what ran, all files that import the change count, and nothing counts if the imports are unknown', async () => {
  const reaches: CheckedTogether['reach'][] = [];
  const run = (known: GateInput['context']['reachingTests']) =>
    runOf(['b.js'], {
      reachingTests: known,
      placesReached: async () => null,
      onReach: (files) => void reaches.push(files),
    });
  await findReach(run(reachingTests), null);
  await findReach(
    run(async () => null),
    null,
  );
  expect(reaches).toEqual([[{ path: 'b.perf.test.js', passed: null }], null]);
  expect(await share('b.js', reaches[0]!)).toMatchObject({ reachingFiles: 1, strength: 'tested' });
  expect(await share('b.js', reaches[1]!)).toMatchObject({ reachingFiles: undefined, strength: 'unchecked' });
});

test('where the runner names no files, those that import the change count as run', async () => {
  const run = runOf(['a.js'], { reachingTests, placesReached: async () => null });
  const cases = [{ ...one('a.test.js'), file: null }];
  expect((await findReach(run, cases)).files).toBe(2);
  const base = { value: countsOf(cases), answer: { millis: 10 } };
  const commands = createPart<TestCommands>({ onFiles: () => null });
  expect((await runReachingTests(run, commands, base, never)).files).toBe(2);
});
