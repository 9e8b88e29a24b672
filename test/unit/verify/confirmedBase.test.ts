// What a kept run of the base may excuse: only a failure that it shows again.

import { expect, test } from 'vitest';
import { createBaselineCache, type BaselineCache } from '../../../server/src/core/verify/baseline.ts';
import { verified } from './inMemory.ts';
import { edit, toldBy } from './verifying.ts';

const edits = [edit('a.js', 'export const a = 1;\n', 'export const a = 2;\n')];
const tap = (isRed: boolean) => ({
  stdout: `TAP version 13\nok 1 - other\n${isRed ? 'not ' : ''}ok 2 - a\n1..2`,
  exitCode: isRed ? 1 : 0,
});

/** What the tests gate says of a change after which the test `a` fails, and how often the base ran for it. */
async function judged(baseline: BaselineCache, isBaseRed: (run: number) => boolean) {
  let runs = 0;
  const verification = await verified({
    files: { 'a.js': edits[0]!.before! },
    edits,
    commands: { 'run-tests': (texts) => tap(texts.get('a.js') === edits[0]!.after || isBaseRed((runs += 1))) },
    overrides: {
      settings: { testCommand: 'run-tests' },
      baseline,
      treeKey: (_edits, side) => side,
      only: ['applies', 'tests'],
    },
  });
  return { said: toldBy('tests', verification), runs };
}

test('a failure that was kept by chance does not excuse one that the change causes', async () => {
  const baseline = createBaselineCache();
  // The base fails in the run that is kept, and never again.
  await judged(baseline, () => true);
  expect((await judged(baseline, () => false)).said).toBe(
    'tests failed: 1 test fails with the change and not without it: a.',
  );
});

test('a failure that the base shows again excuses one, and is not tried a third time', async () => {
  const baseline = createBaselineCache();
  const already = 'tests passed: Already failing: 1 test fails with and without the change; 1 passed.';
  expect(await judged(baseline, () => true)).toEqual({ said: already, runs: 1 });
  expect(await judged(baseline, () => true)).toEqual({ said: already, runs: 1 });
  expect(await judged(baseline, () => true)).toEqual({ said: already, runs: 0 });
});
