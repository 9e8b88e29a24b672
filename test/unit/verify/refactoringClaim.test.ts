// A refactoring that was asked for brings no test: what shows that it keeps behaviour.

import { expect, test } from 'vitest';
import { findShownClaim, explainMissingGain } from '../../../server/src/core/verify/claims/claimVerdicts.ts';
import type { Verdict } from '../../../server/src/core/model.ts';

function claimBy(differential: Pick<Verdict, 'outcome' | 'evidence'>) {
  const verdicts = [
    { gate: 'score', outcome: 'unknown', reason: '', evidence: { judgedBy: 'claim', tried: 'request' } },
    { gate: 'claim', outcome: 'unknown', reason: 'Not shown.', evidence: { kind: 'request', needsSame: 1 } },
    { gate: 'differential', reason: 'Same behaviour.', ...differential },
  ] as unknown as readonly Verdict[];
  return { holds: findShownClaim(verdicts)?.holds, missing: explainMissingGain(verdicts) };
}

test.each([
  ['generated inputs', {}],
  ['the calls of the tests', { tracedCalls: 3 }],
  ['inputs made from annotations of Python', { unproven: 'the inputs are made from annotations alone' }],
])('%s show it', (_, evidence) => {
  expect(claimBy({ outcome: 'passed', evidence })).toEqual({ holds: true, missing: null });
});

test('a comparison without an answer shows nothing', () => {
  const evidence = { unproven: 'the inputs are made from annotations alone' };
  expect(claimBy({ outcome: 'unknown', evidence })).toEqual({ holds: null, missing: 'claim: Not shown.' });
});
