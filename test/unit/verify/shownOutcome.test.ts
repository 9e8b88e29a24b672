// What is unknown because nothing had to be shown is called “not needed”; everything else stays unknown.

import { expect, test } from 'vitest';
import type { FileEdit, Proposal, Verdict } from '../../../server/src/core/model.ts';
import type { GateName } from '../../../server/src/core/model/gates.ts';
import { toShownOutcome } from '../../../server/src/core/verify/shownOutcome.ts';

const unknown = (gate: GateName, evidence: Verdict['evidence'] = {}): Verdict => ({
  ...{ gate, evidence },
  outcome: 'unknown',
  reason: 'Why.',
  millis: 0,
});
const edit = (path: string): FileEdit => ({ path, before: 'old', after: 'new' });
const change = (paths: readonly string[], verdicts: readonly Verdict[], claim: Proposal['claim'] = null) => ({
  ...{ verdicts, claim },
  edits: paths.map(edit),
});
const ofTests = { kind: 'tests', holds: true, evidence: '', price: null } as const;

test('a change of tests or documentation has no code to compare or to put mistakes into', () => {
  for (const gate of ['differential', 'guard'] as const) {
    const outcomeOf = (...paths: string[]) => toShownOutcome(unknown(gate), change(paths, [unknown(gate)]));
    expect([outcomeOf('test/a.test.ts'), outcomeOf('README.md'), outcomeOf('test/a.test.ts', 'README.md')]).toEqual(
      Array(3).fill('not needed'),
    );
    expect([outcomeOf('src/a.ts'), outcomeOf('src/a.ts', 'test/a.test.ts')]).toEqual(['unknown', 'unknown']);
  }
});

test('what another check has shown needs no second one', () => {
  const guard = unknown('guard');
  const same: Verdict = { ...unknown('differential'), outcome: 'passed' };
  expect(toShownOutcome(guard, change(['src/a.ts'], [same, guard]))).toBe('not needed');
  const traced: Verdict = { ...same, evidence: { tracedCalls: 3 } };
  expect(toShownOutcome(guard, change(['src/a.ts'], [traced, guard]))).toBe('unknown');
  const score = unknown('score', { judgedBy: 'claim' });
  expect(toShownOutcome(score, change(['a.test.ts'], [score, unknown('claim')], ofTests))).toBe('not needed');
  expect(toShownOutcome(score, change(['a.test.ts'], [score]))).toBe('unknown');
  const asked = unknown('score', { judgedBy: 'person' });
  expect(toShownOutcome(asked, change(['src/a.ts'], [asked, unknown('claim')]))).toBe('unknown');
});

test('tests that were shown to notice more are no reason to look at the change of tests; other tests are', () => {
  const integrity = unknown('integrity', { testsOnlyAdded: 1 });
  expect(toShownOutcome(integrity, change(['a.test.ts'], [integrity], ofTests))).toBe('not needed');
  expect(toShownOutcome(integrity, change(['a.test.ts'], [integrity], { ...ofTests, holds: null }))).toBe('unknown');
  const edited = unknown('integrity', { judges: 1 });
  expect(toShownOutcome(edited, change(['a.test.ts'], [edited], ofTests))).toBe('unknown');
});

test('a failed or passed check stays so', () => {
  for (const outcome of ['passed', 'failed'] as const) {
    const verdict: Verdict = { ...unknown('differential'), outcome };
    expect(toShownOutcome(verdict, change(['a.test.ts'], [verdict]))).toBe(outcome);
  }
});
