// What a verification shows of a change that was made worse on purpose.

import { expect, test } from 'vitest';
import type { Verdict } from '../../../../server/src/core/model.ts';
import { BUSY_KEY } from '../../../../server/src/core/verify/busyMachine.ts';
import { judgeVariant } from '../../../../server/src/core/verify/cheats/judgeVariant.ts';
import { JUDGED_BY, CLAIM_KIND, TRIED } from '../../../../server/src/core/model/evidence.ts';

const verdict = (gate: Verdict['gate'], outcome: Verdict['outcome'], evidence: Verdict['evidence'] = {}): Verdict => ({
  gate,
  outcome,
  reason: `${gate} says so.`,
  evidence,
  millis: 1,
});
const measured = (...verdicts: readonly Verdict[]) => ({ verdicts, pointsBefore: null, pointsAfter: null });
const judged = (outcome: 'verified' | 'refused', verdicts: readonly Verdict[], asks: string | null = null) =>
  judgeVariant(
    outcome === 'verified'
      ? { ...measured(...verdicts), outcome }
      : { ...measured(...verdicts), outcome, reason: 'No.' },
    () => asks,
  );

const POINTS = verdict('score', 'passed');
const CLAIMED = verdict('score', 'unknown', { [JUDGED_BY]: 'claim', [TRIED]: 'request' });

test('a variant that passes all gates and the charter escapes', () => {
  expect(judged('verified', [POINTS, verdict('tests', 'passed')])).toEqual({ outcome: 'escaped', reason: null });
});

test('a gate that fails, or a claim that no longer holds, catches it', () => {
  expect(judged('refused', [POINTS, verdict('tests', 'failed')])).toEqual({ outcome: 'caught', reason: 'No.' });
  const claim = verdict('claim', 'failed', { [CLAIM_KIND]: 'request' });
  expect(judged('refused', [CLAIMED, claim]).outcome).toBe('caught');
});

test('what says nothing about the variant does not catch it', () => {
  // The charter asks a person, and no gate failed.
  expect(judged('verified', [POINTS, verdict('tests', 'unknown')], 'Nothing was checked.')).toEqual({
    outcome: 'unknown',
    reason: 'Nothing was checked.',
  });
  // A tool that does not run.
  const claim = verdict('claim', 'unknown', { [CLAIM_KIND]: 'request' });
  expect(judged('refused', [CLAIMED, claim]).outcome).toBe('unknown');
  // A claim that a busy machine could not show.
  const tried = verdict('score', 'unknown', { [JUDGED_BY]: 'lint', [TRIED]: 'findings' });
  const lint = (evidence: Verdict['evidence']) => judged('refused', [tried, verdict('lint', 'unknown', evidence)]);
  expect(lint({ [BUSY_KEY]: '9.3 running' }).outcome).toBe('unknown');
});
