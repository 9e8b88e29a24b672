// What a night's report says of the cost of its changes, and of a night without any.

import { expect, test } from 'vitest';
import type { NightChange, NightEvent } from '../../../server/src/core/model/nights.ts';
import type { AskEvent } from '../../../server/src/core/proposers/accounts.ts';
import { renderNightReport } from '../../../server/src/core/run/report/nightReport.ts';
import { sumNightSpending } from '../../../server/src/core/proposers/nightSpending.ts';
import { foldNights } from '../../../server/src/core/run/nights.ts';

const [night, run] = ['selfware/night-2026-11-25', 'run-1'];
const plan = { until: 28_800_000, maxChanges: 3, proposer: null, places: null };
const started: NightEvent = { type: 'nightStarted', data: { night, run, base: 'a'.repeat(40), plan } };
const ended: NightEvent = { type: 'nightEnded', data: { night, run, reason: 'Its time is up.', passedOver: {} } };
const nightAfter = (...events: readonly NightEvent[]) => foldNights(events.map((event, at) => ({ ...event, at })))[0]!;
const committed = (proposal: string, more: Partial<NightChange>): NightEvent => ({
  type: 'nightCommitted',
  data: {
    night,
    run,
    commit: `${proposal}-commit`,
    change: {
      proposal,
      title: `Change ${proposal}`,
      rationale: '',
      rule: 'some-rule',
      recipe: 'some-recipe',
      author: 'recipe',
      strength: 'proven',
      claim: { kind: 'points', holds: true, evidence: '1 → 2 points.', price: null },
      points: { before: 1, after: 2 },
      paths: ['a.ts'],
      checks: [],
      cost: null,
      ...more,
    },
  },
});

test('the report counts the examples of a learned recipe once for all its changes', () => {
  const usage = { input: 1200, output: 80, cached: 0, estimated: false };
  const cost = { usage, attempts: 1, money: null, models: ['m'], recipe: 'r' };
  const report = renderNightReport(nightAfter(started, committed('p', { cost }), committed('q', { cost }), ended));
  expect(report).toContain('1 recipe came from examples by models that cost 1,200 tokens to ask and 80 to answer.');
  expect(report).not.toContain('Models made');

  // Two recipes of one answer.
  const of = (recipe: string) => ({ cost: { ...cost, recipe, ask: 'ask-1' } });
  expect(renderNightReport(nightAfter(started, committed('p', of('r')), committed('q', of('s')), ended))).toContain(
    '2 recipes came from examples by models that cost 1,200 tokens to ask and 80 to answer.',
  );
});

test('the report counts the cost of all questions of the night, with the limit of money beside it', () => {
  const limited: NightEvent = { ...started, data: { ...started.data, maxCost: 2 } } as NightEvent;
  const found = nightAfter(limited, ended);
  const task = { kind: 'request', id: 't', opportunity: null, path: null } as const;
  const budget = { replyTokens: 500, seconds: 60 };
  const asked = (ask: string, since: number): AskEvent => ({
    at: 0,
    asked: {
      ask,
      run: 's',
      night: since,
      task,
      proposer: 'm',
      promptTokens: 10,
      budget,
      price: { input: 1000, output: 0 },
    },
  });
  const usage = { input: 1000, output: 80, cached: 0, estimated: false };
  const empty = { reason: 'No.', proposal: null, model: null, format: null, rung: null, millis: 1 };
  const answered: AskEvent = { at: 0, answered: { ask: 'q', task, outcome: 'refused', usage, ...empty } };
  // The second question belongs to another night.
  const spent = sumNightSpending(found, [asked('q', 0), answered, asked('r', 77)], 1);
  expect(renderNightReport(found, new Map(), { spent })).toContain(
    '1 question to models cost 1,000 tokens to ask and 80 to answer, 1.00 of at most 2.00 by your prices. None of that led',
  );
});

test('a night of several orders has no limit of money, and one that goes on elsewhere counts no later question', () => {
  const budget = { replyTokens: 500, seconds: 60 };
  const task = { kind: 'request', id: 't', opportunity: null, path: null } as const;
  const asked = (ask: string, at: number, since: number): AskEvent => ({
    at,
    asked: { ask, run: 's', night: since, task, proposer: 'm', promptTokens: 10, budget },
  });
  const start = (branch: string, id: string, since: number): NightEvent => ({
    type: 'nightStarted',
    data: { night: branch, run: id, base: 'a', plan, since, maxCost: 2 },
  });
  const [first, second] = foldNights(
    [start(night, run, 0), start('m', 'run-2', 0), ended, start('m', 'run-3', 3)].map((event, at) => ({
      ...event,
      at,
    })),
  );
  const questions = [asked('q', 0, 0), asked('r', 8, 0), asked('s', 9, 3)];
  expect(sumNightSpending(first!, questions, 10)).toMatchObject({ questions: 1, maxCost: 2 });
  expect(sumNightSpending(second!, questions, 10)).toMatchObject({ questions: 2, maxCost: null });
});

test('a run that finished nothing says so, and one that searched says what it found', () => {
  const sentence = 'No attempt and no search was finished in this time. A longer run gets further.';
  expect(renderNightReport(nightAfter(started, ended))).toContain(sentence);
  const search = (more: object): NightEvent => ({
    type: 'nightSearched',
    data: { night, run, search: 'tests', files: 2, undone: 0, found: [], ...more },
  });
  const advice = 'Recipes and searches found nothing new here. With a language model, a run has more to do';
  expect(renderNightReport(nightAfter(started, search({ undone: 1 }), search({}), ended))).toContain(advice);
  for (const more of [{ undone: 1 }, { obstacle: 'No.' }, { found: ['a in b.ts'] }])
    expect(renderNightReport(nightAfter(started, search(more), ended))).not.toContain(advice);
  expect(renderNightReport(nightAfter(started))).not.toContain(sentence);
  expect(renderNightReport(nightAfter(started, committed('p', {}), ended))).not.toContain(sentence);
  const searched = { night, run, search: 'tests', files: 3, undone: 0, found: [] } as const;
  expect(renderNightReport(nightAfter(started, { type: 'nightSearched', data: searched }, ended))).not.toContain(
    sentence,
  );
});
