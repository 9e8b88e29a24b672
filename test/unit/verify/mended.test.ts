// A fix without a test: a generated call breaks in the old code by an error of the engine, and the new code answers it.

import { expect, test } from 'vitest';
import { judgeReport } from '../../../server/src/core/verify/differential/judge.ts';
import { findShownClaim, findMissingGain } from '../../../server/src/core/verify/claims/claimVerdicts.ts';
import type { Verdict } from '../../../server/src/core/model.ts';
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
  return { claim: findShownClaim(verdicts), missing: findMissingGain(verdicts) };
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
