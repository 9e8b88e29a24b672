// If new tests could not be judged, the refusal says why, instead of that no more tests pass.

import { expect, test } from 'vitest';
import type { Verdict } from '../../../server/src/core/model.ts';
import { explainMissingGain } from '../../../server/src/core/verify/claims/claimVerdicts.ts';

const verdictsWith = (claim: Verdict['outcome'], passed: number) =>
  [
    { gate: 'score', outcome: 'unknown', reason: '', evidence: { judgedBy: 'claim', tried: 'tests' } },
    { gate: 'tests', outcome: 'passed', reason: '', evidence: { passed, passedBefore: 6 } },
    { gate: 'claim', outcome: claim, reason: 'The new tests do not name their cases.', evidence: { kind: 'tests' } },
  ] as unknown as readonly Verdict[];

test('the check that tried the new tests gives the reason', () => {
  expect(explainMissingGain(verdictsWith('unknown', 6))).toBe('claim: The new tests do not name their cases.');
  expect(explainMissingGain(verdictsWith('failed', 6))).toBe('claim: The new tests do not name their cases.');
  expect(explainMissingGain(verdictsWith('unknown', 7))).toBeNull();
  expect(explainMissingGain(verdictsWith('unknown', 6).slice(0, 2))).toBe(
    'tests: The score stays the same, and no more tests pass than without the change.',
  );
});
