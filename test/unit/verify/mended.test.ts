// A fix without a test: a generated call breaks in the old code by an error of the engine, and the new code answers it.

import { expect, test } from 'vitest';
import { judgeReport } from '../../../server/src/core/verify/differential/judge.ts';
import { findShownClaim, explainMissingGain } from '../../../server/src/core/verify/claims/claimVerdicts.ts';
import type { Verdict } from '../../../server/src/core/model.ts';
import { collectNamedCalls } from '../../../server/src/core/verify/claims/namedCalls.ts';
import { listNotShown } from '../../../server/src/core/verify/judge/notShown.ts';
import { compareTexts } from './comparing.ts';

const before =
  'export function first(values: readonly string[] | undefined): number {\n  return values.length * 2;\n}\n';

async function judged(after: string, old = before) {
  const { plan, report } = await compareTexts([{ path: 'src/first.ts', before: old, after }], {}, { mends: true });
  return judgeReport(plan, report, { seed: 1, isMeantToDiffer: true, tests: 'node' });
}

function claimBy({ outcome, reason, evidence }: Awaited<ReturnType<typeof judged>>) {
  const verdicts = [
    { gate: 'score', outcome: 'unknown', reason: '', evidence: { judgedBy: 'claim', tried: 'fix' } },
    { gate: 'claim', outcome: 'unknown', reason: 'No call.', evidence: { kind: 'fix', needsCall: 1 } },
    { gate: 'differential', outcome, reason, evidence },
  ] as unknown as readonly Verdict[];
  return { claim: findShownClaim(verdicts), missing: explainMissingGain(verdicts) };
}

test('a call that broke is shown with what it answers, and nothing else differs', async () => {
  const answer = await judged(before.replace('values.length', '(values?.length ?? 0)'));
  expect(answer).toMatchObject({
    outcome: 'unknown',
    reason:
      'Fewer calls fail than before, and no other difference was found: `first(undefined)` throws TypeError before, and with the change it returns 0.',
    evidence: { mendedCall: 'first(undefined)', mendsOnly: 1 },
  });
  expect(claimBy(answer)).toMatchObject({
    missing: null,
    claim: {
      kind: 'fix',
      holds: true,
      evidence: 'Without the change `first(undefined)` throws TypeError; with it, it returns 0.',
    },
  });
});

test('what differs elsewhere, too, is shown and asks', async () => {
  const answer = await judged(before.replace('values.length * 2', '(values?.length ?? 0) * 3'));
  expect(answer).toMatchObject({ outcome: 'unknown', evidence: { call: expect.stringMatching(/^first\(\[/) } });
  expect(answer.evidence['mendsOnly']).toBeUndefined();
});

const thrown = before.replace('return values', "if (!values) throw new TypeError('No values.');\n  return values");

test.each([
  [
    'an error that the code throws itself may be meant',
    thrown.replace(/ {2}if.*\n/, '  if (!values) return 0;\n'),
    thrown,
  ],
  ['another error is no answer', thrown, before],
  [
    'nothing that broke',
    before.replace('values.length', '(values ?? []).length'),
    before.replace('values.length', '(values?.length ?? 0)'),
  ],
])('%s: no fix', async (_, after, old) => {
  const { missing } = claimBy(await judged(after, old));
  expect(missing).toBe('claim: No call.');
});

const mean =
  'export function mean(values: readonly number[]): number {\n  let sum = 0;\n  for (const value of values) sum += value;\n  return sum / values.length;\n}\n';
const guarded = mean.replace('  let sum', '  if (values.length === 0) return 0;\n  let sum');
const oneCase =
  "import { mean } from '../src/mean.ts';\ntest('mean of nothing', () => {\n  assert.equal(mean([]), 0);\n});\n";

async function judgedWithTest(after: string) {
  const named = collectNamedCalls([{ path: 'test/mean.test.ts', before: null, after: oneCase }]);
  const edits = [{ path: 'src/mean.ts', before: mean, after }];
  const { plan, report } = await compareTexts(edits, {}, { named, untilDifferent: true, runs: 100 });
  return judgeReport(plan, report, { seed: 1, isMeantToDiffer: true, tests: 'node' });
}

test('a difference that the test names is not shown as an open one, and hides no other one', async () => {
  const honest = await judgedWithTest(guarded);
  expect(honest).toMatchObject({
    outcome: 'unknown',
    reason: 'It differs only where its tests say so: `mean([])` returns NaN before, and with the change it returns 0.',
    evidence: { namedCalls: 'mean([])' },
  });
  expect(honest.evidence['call']).toBeUndefined();
  const hidden = await judgedWithTest(guarded.replace('sum = 0;', 'sum = values.length > 4 ? 1 : 0;'));
  expect(hidden).toMatchObject({
    outcome: 'unknown',
    evidence: { namedCalls: 'mean([])', call: 'mean([0, 0, 0, 0, 0])' },
  });
  const shownFor = ({ outcome, reason, evidence }: typeof honest) =>
    listNotShown({
      verdicts: [
        { gate: 'claim', outcome: 'passed', reason: '', evidence: { kind: 'fix' }, millis: 0 },
        { gate: 'differential', outcome, reason, evidence, millis: 0 },
      ],
      strength: 'tested',
      files: { paths: ['src/mean.ts'] },
    });
  expect(shownFor(honest)).toEqual([]);
  expect(shownFor(hidden)).toEqual(['that the behaviour is the same (it differs for mean([0, 0, 0, 0, 0]))']);
});
