// What is the same, different or unknown when a night is judged again.

import { expect, test } from 'vitest';
import type { Verdict } from '../../../server/src/core/model.ts';
import {
  compareCommitted,
  compareRefused,
  compareWithoutReply,
  replayedSentence,
  countReplayed,
  explainRefusedVersion,
  type ReplayedProposal,
} from '../../../server/src/core/run/replay.ts';
import { createPart } from '../../helpers/createPart.ts';

const verdict = (gate: Verdict['gate'], outcome: Verdict['outcome'], reason = `${gate} ${outcome}`): Verdict =>
  createPart<Verdict>({ gate, outcome, reason, evidence: {} });
const judged = (strength: 'proven' | 'tested' | 'unchecked', ...verdicts: readonly Verdict[]) => ({
  strength,
  verdicts,
});

test('a committed change is the same if it holds with at least its strength', () => {
  expect(compareCommitted('tested', null, judged('tested')).outcome).toBe('same');
  expect(compareCommitted('tested', null, judged('proven')).outcome).toBe('same');
  expect(compareCommitted('proven', null, judged('tested'))).toEqual({
    outcome: 'different',
    found: 'It was proven, and is only tested now.',
  });
  expect(compareCommitted('tested', '1 test fails.', judged('tested'))).toEqual({
    outcome: 'different',
    found: 'It would not be committed: 1 test fails.',
  });
});

test('a refused proposal is compared by the gate that refused it', () => {
  const before = [verdict('types', 'passed'), verdict('tests', 'failed')];
  expect(compareRefused(before, judged('unchecked', verdict('tests', 'failed'))).outcome).toBe('same');
  expect(compareRefused(before, judged('tested', verdict('types', 'failed'), verdict('tests', 'passed')))).toEqual({
    outcome: 'different',
    found: 'tests failed then, and passes now: tests passed',
  });
  expect(compareRefused(before, judged('unchecked', verdict('tests', 'unknown'))).outcome).toBe('unknown');
});

test('a gate that judges proposals alone says nothing about a commit', () => {
  expect(compareRefused([verdict('score', 'failed')], judged('tested', verdict('tests', 'passed')))).toEqual({
    outcome: 'unknown',
    found: 'score judges proposals alone.',
  });
});

test('whoever replies would have been asked about another tree once an outcome has changed; a recipe asks nobody', () => {
  expect(compareWithoutReply('model', null)).toBeNull();
  for (const author of ['recipe', 'person', undefined] as const) expect(compareWithoutReply(author, 'One')).toBeNull();
  for (const author of ['model', 'agent', 'client'] as const)
    expect(compareWithoutReply(author, 'One')).toEqual({
      outcome: 'unknown',
      found: 'It would need a new reply, because the outcome of “One” before it is different.',
      needsNewReply: true,
    });
});

test('outcomes are counted', () => {
  const one = { proposal: 'p', title: 't', was: 'committed', found: '' } as const;
  const all = (['same', 'same', 'unknown'] as const).map((outcome) => ({ ...one, outcome }));
  expect(countReplayed(all)).toEqual({ same: 2, different: 0, unknown: 1, needsNewReply: 0 });
  const unasked = { ...one, outcome: 'unknown', needsNewReply: true } as const;
  expect(countReplayed([...all, unasked])).toMatchObject({ unknown: 2, needsNewReply: 1 });
});

test('a version that cannot judge, or that judges differently, does not take over', () => {
  const one = (outcome: ReplayedProposal['outcome'], more: Partial<ReplayedProposal> = {}): ReplayedProposal => ({
    proposal: 'p',
    title: 'A change',
    was: 'committed',
    outcome,
    found: 'Found.',
    ...more,
  });
  const fails = one('unknown', { was: 'refused', hasFailed: true });
  expect(explainRefusedVersion([])).toBeNull();
  expect(explainRefusedVersion([one('same'), one('unknown')])).toBeNull();
  expect(explainRefusedVersion([one('unknown', { was: 'refused' })])).toBeNull();
  expect(explainRefusedVersion([one('same'), one('different')])).toBe('It judges “A change” differently. Found.');
  expect(explainRefusedVersion([one('same'), fails])).toBe('It cannot judge “A change”. Found.');
  expect(explainRefusedVersion([one('unknown'), one('unknown')])).toBe(
    'It could judge no change of the run again. Found.',
  );
});

test('what a check has compared is said, and that it had nothing to compare', () => {
  const one = { proposal: 'p', title: 't', was: 'committed', found: '' } as const;
  expect(replayedSentence([{ ...one, outcome: 'unknown' }])).toContain('nothing to compare');
  expect(replayedSentence([])).toContain('nothing to compare');
  expect(replayedSentence([{ ...one, outcome: 'same' }])).toBe('Its check judged 1 proposal of the run as before.');
});
