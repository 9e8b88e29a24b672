// What pauses a run, by tables of events: beside each case that is unusual stands one that is not.

import { describe, expect, test } from 'vitest';
import { EXTERNAL_RECIPE } from '../../../server/src/core/model/authors.ts';
import type { NightChange, NightEvent, NightMiss, Turn } from '../../../server/src/core/model/nights.ts';
import { findAnomaly } from '../../../server/src/core/run/anomalies/anomalies.ts';
import { collectFacts } from '../../../server/src/core/run/anomalies/facts.ts';
import { renderNightReport } from '../../../server/src/core/run/report/nightReport.ts';
import { foldNights } from '../../../server/src/core/run/nights.ts';
import { findUnansweredAnomaly } from '../../../server/src/core/run/nightQueries.ts';
import { describeStep } from '../../../server/src/core/run/live.ts';

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const night = 'selfware/night-2026-11-25';
const plan = { until: 1e12, maxChanges: 100, proposer: null, places: null };
type Timed = NightEvent & { readonly at: number };

let proposals = 0;
const started = (at: number, run: string): Timed => ({
  type: 'nightStarted',
  at,
  data: { night, run, base: 'a', plan },
});
const committed = (at: number, run: string, more: Partial<NightChange> = {}): Timed => ({
  type: 'nightCommitted',
  at,
  data: {
    night,
    run,
    commit: 'c',
    change: {
      proposal: `p${proposals++}`,
      title: 'T',
      rule: 'r',
      points: null,
      checks: [],
      paths: [],
      ...more,
    } as NightChange,
  },
});
const missed = (at: number, run: string, rule = 'r', what: NightMiss['what'] = 'refused'): Timed => ({
  type: 'nightMissed',
  at,
  data: { night, run, miss: { what, proposal: 'x', title: 'x', rule, path: 'a', reason: '' } },
});
const answered = (at: number, run: string): Timed => ({
  type: 'nightAnswered',
  at,
  data: { night, run, by: 'person' },
});
const many = (count: number, make: (at: number) => Timed): Timed[] =>
  Array.from({ length: count }, (_, at) => make(at));
const kindIn = (events: readonly Timed[], now = (events.at(-1)?.at ?? 0) + 1) =>
  findAnomaly(collectFacts(events, 'now', now))?.kind ?? null;
const gain = (points: number): Partial<NightChange> => ({ points: { before: 100, after: 100 + points } });
const ran = (...commands: readonly string[]): Partial<NightChange> => ({ commands });
const turn = (from: string, to: string, path = 'a.ts'): Partial<NightChange> => ({
  turns: [{ path, from, to } as Turn],
});

describe('changes an hour', () => {
  /** Three earlier runs with at most `most` changes within an hour. */
  const earlier = (most: number) =>
    [1, 2, 3].flatMap((run) => [
      started(run * 100 * HOUR, `run${run}`),
      ...many(most, (at) => committed(run * 100 * HOUR + at * MINUTE, `run${run}`)),
      committed(run * 100 * HOUR + 5 * HOUR, `run${run}`),
    ]);
  const now = (count: number, every: number) => [
    started(1000 * HOUR, 'now'),
    ...many(count, (at) => committed(1000 * HOUR + (at + 1) * every, 'now')),
  ];
  test.each([
    ['three times as many are not unusual', [...earlier(5), ...now(15, MINUTE)], null],
    ['more than that are', [...earlier(5), ...now(16, MINUTE)], 'changeRate'],
    ['the same number over more hours is not', [...earlier(5), ...now(16, 10 * MINUTE)], null],
    ['ten are never unusual', [...earlier(1), ...now(10, MINUTE)], null],
    ['without earlier runs nothing is', now(60, MINUTE), null],
    [
      'what a person has let pass is counted no more',
      [...earlier(5), ...now(16, MINUTE), answered(1001 * HOUR, 'now'), committed(1001 * HOUR + 1, 'now')],
      null,
    ],
  ])('%s', (_, events, kind) => expect(kindIn(events)).toBe(kind));
});

describe('code that turns back', () => {
  const run = (...changes: readonly Partial<NightChange>[]) => [
    started(0, 'now'),
    ...changes.map((change, at) => committed(at + 1, 'now', change)),
  ];
  test.each([
    ['A → B → A', run(turn('a', 'b'), turn('b', 'a')), 'oscillation'],
    ['A → B → C → A', run(turn('a', 'b'), turn('b', 'c'), turn('c', 'a')), 'oscillation'],
    ['A → B → C', run(turn('a', 'b'), turn('b', 'c')), null],
    ['the same in another file', run(turn('a', 'b'), turn('b', 'a', 'b.ts')), null],
    ['the same change twice', run(turn('a', 'b'), turn('a', 'b')), null],
    ['added, then removed', run(turn('', 'b'), turn('b', '')), 'oscillation'],
    ['something added, something else removed', run(turn('', 'b'), turn('c', '')), null],
    ['a change without hashes, of an older version', run({}, turn('b', 'a')), null],
    [
      'back to what was before an earlier night',
      [started(0, 'old'), committed(1, 'old', turn('a', 'b')), started(2, 'now'), committed(3, 'now', turn('b', 'a'))],
      'oscillation',
    ],
    [
      'what a person has let pass',
      [...run(turn('a', 'b'), turn('b', 'a')), answered(5, 'now'), committed(6, 'now', turn('x', 'y'))],
      null,
    ],
  ])('%s', (_, events, kind) => expect(kindIn(events)).toBe(kind));
});

describe('gains', () => {
  const gaining = (gains: readonly number[], newest: number, rule = 'r') => [
    started(0, 'now'),
    ...gains.map((points, at) => committed(at + 1, 'now', gain(points))),
    committed(100, 'now', { ...gain(newest), rule }),
  ];
  test.each([
    ['far more than ever', gaining([1, 2, 1, 2, 1], 50), 'unexpectedGain'],
    ['a little more than ever', gaining([1, 2, 1, 2, 1], 3), null],
    ['equal gains so far, and twice as much', gaining([1, 1, 1, 1, 1], 2), null],
    ['equal gains so far, and more', gaining([1, 1, 1, 1, 1], 2.1), 'unexpectedGain'],
    ['too few to know', gaining([1, 2, 1, 2], 50), null],
    ['none so far, because they claim something else', gaining([0, 0, 0, 0, 0], 1), null],
    ['few among many without', gaining([0, 0, -1, 1, 0, 1, 2], 50), null],
    ['the first one of another rule', gaining([1, 2, 1, 2, 1], 50, 'other'), null],
  ])('%s', (_, events, kind) => expect(kindIn(events)).toBe(kind));
});

/** The same attempts of another rule. */
const inRule = (events: readonly Timed[], rule: string) =>
  JSON.parse(JSON.stringify(events).replaceAll('"rule":"r"', `"rule":"${rule}"`)) as readonly Timed[];

describe('proposals that fail', () => {
  /** `passed` of 40 before the run, then 20 in it. */
  const series = (passed: number, lately: number, rule = 'r') => [
    started(0, 'old'),
    ...many(40, (at) => (at < passed ? committed(at + 1, 'old') : missed(at + 1, 'old'))),
    started(50, 'now'),
    ...many(20, (at) => (at < lately ? committed(at + 51, 'now', { rule }) : missed(at + 51, 'now', rule))),
  ];
  test.each([
    ['a rule that used to pass', series(30, 0), 'failing'],
    ['one that passes less often', series(30, 9), null],
    ['one that never passed often', series(10, 0), null],
    ['another rule', series(30, 0, 'other'), null],
    ['models and agents, which are many', inRule(series(30, 0), EXTERNAL_RECIPE), null],
  ])('%s', (_, events, kind) => expect(kindIn(events)).toBe(kind));
  test('what waits for a person is no failure', () => {
    const events = [...series(30, 0).slice(0, 42), ...many(20, (at) => missed(at + 51, 'now', 'r', 'asks'))];
    expect(kindIn(events)).toBeNull();
  });
});

test('a deferred proposal counts once, by its final outcome', () => {
  const deferred = missed(1, 'now', 'r', 'deferred');
  const attempts = (...later: readonly Timed[]) =>
    collectFacts([started(0, 'now'), deferred, ...later], 'now', 9).attempts;
  expect(attempts()).toEqual([]);
  expect(attempts(missed(2, 'now'))).toEqual([{ at: 2, rule: 'r', passed: false }]);
  expect(attempts(committed(2, 'now'))).toEqual([{ at: 2, rule: 'r', passed: true }]);
});

describe('hours without a change', () => {
  const failing = (count: number, every: number) => [
    started(0, 'now'),
    ...many(count, (at) => missed((at + 1) * every, 'now', `rule${at}`)),
  ];
  const waiting: Timed = { type: 'nightWaiting', at: 1, data: { night, run: 'now', until: 1, reason: '' } };
  test.each([
    ['many proposals, some hours', failing(40, 5 * MINUTE), 4 * HOUR, 'stagnation'],
    ['many proposals, one hour', failing(40, MINUTE), HOUR, null],
    ['few proposals, some hours', failing(39, 5 * MINUTE), 4 * HOUR, null],
    [
      'the hours in which it waited for a commit',
      [
        started(0, 'now'),
        waiting,
        ...failing(40, MINUTE)
          .slice(1)
          .map((one) => ({ ...one, at: one.at + 4 * HOUR })),
      ],
      5 * HOUR,
      null,
    ],
    ['the hours in which it still waits', [...failing(40, MINUTE), { ...waiting, at: 41 * MINUTE }], 5 * HOUR, null],
    ['a change in between', [...failing(40, 5 * MINUTE), committed(201 * MINUTE, 'now')], 6 * HOUR, null],
  ])('%s', (_, events, now, kind) => expect(kindIn(events as Timed[], now)).toBe(kind));
});

test('a variant that passes all checks pauses its run once; one that is caught does not', () => {
  const variant = (at: number, outcome: 'caught' | 'escaped', run = 'now'): Timed => ({
    type: 'nightVariant',
    at,
    data: { night, run, proposal: 'p', title: 'T', kind: 'off by one', path: 'a.ts', line: 7, outcome, reason: null },
  });
  const begun = started(0, 'now');
  expect(kindIn([begun, variant(1, 'caught')])).toBeNull();
  expect(kindIn([begun, variant(1, 'escaped', 'another')])).toBeNull();
  expect(findAnomaly(collectFacts([begun, variant(1, 'escaped')], 'now', 2))?.reason).toContain('off by one, a.ts:7');
  expect(kindIn([begun, variant(1, 'escaped'), answered(2, 'now')])).toBeNull();
  // It is tried while the run waits, which stays no work.
  const waiting: Timed = { type: 'nightWaiting', at: 10, data: { night, run: 'now', until: 90, reason: '' } };
  expect(collectFacts([begun, waiting, variant(20, 'caught'), committed(30, 'now')], 'now', 31).waits).toEqual([
    { from: 10, to: 30 },
  ]);
});

test('a commit that is recorded twice, before and after a crash, is one change', () => {
  const one = committed(1, 'now', turn('a', 'a2'));
  const { commits, attempts } = collectFacts([started(0, 'now'), one, { ...one, at: 2 }], 'now', 3);
  expect([commits.length, attempts.length]).toEqual([1, 1]);
});

describe('a run that waits for a person', () => {
  const paused: Timed = {
    type: 'nightPaused',
    at: 10,
    data: { night, run: 'now', kind: 'oscillation', reason: 'Why.' },
  };
  const ended: Timed = {
    type: 'nightEnded',
    at: 30,
    data: { night, run: 'now', reason: 'It needs you. Why.', passedOver: {} },
  };
  const nightWith = (...events: readonly Timed[]) => foldNights([started(0, 'now'), ...events])[0]!;

  test('its state, step and report say why and what can be done; a crash changes nothing', () => {
    for (const found of [
      nightWith(paused),
      nightWith(paused, { type: 'nightResumed', at: 20, data: { night, run: 'now' } }),
    ]) {
      expect(found.state).toBe('needsPerson');
      expect(findUnansweredAnomaly(found)?.reason).toBe('Why.');
      expect(describeStep(found, null, 11, String)).toContain('It needs you. Why.');
      expect(renderNightReport(found)).toContain('- Why. It waits for you.');
      expect(renderNightReport(found)).toContain('selfware night continue');
    }
  });

  test('what is recorded meanwhile does not end the wait', () => {
    for (const event of [committed(15, 'now'), missed(15, 'now')]) {
      expect(nightWith(paused, event).state).toBe('needsPerson');
      expect(nightWith(paused, answered(12, 'now'), event).state).toBe('running');
    }
  });

  test('the time in which it waits is no work', () => {
    expect(nightWith(paused, answered(25, 'now')).runs[0]!.waitedFor).toBe(15);
  });

  test('an answer lets it continue, and so does another run; an end is told', () => {
    const continued = nightWith(paused, answered(20, 'now'));
    expect([continued.state, findUnansweredAnomaly(continued)]).toEqual(['running', null]);
    expect(renderNightReport(continued)).toContain('- Why. It was continued.');
    expect(findUnansweredAnomaly(nightWith(paused, ended))).toBeNull();
    expect(renderNightReport(nightWith(paused, ended))).toContain('- Why. The run ended.');
    expect(findUnansweredAnomaly(nightWith(paused, ended, started(40, 'next')))).toBeNull();
  });
});

describe('an unexpected command', () => {
  const earlier = (runs: number) =>
    many(runs, (at) => committed(at * MINUTE, `run-${at}`, ran('npm test', 'npx vitest run test/a.test.ts')));
  const begun = started(HOUR, 'now');
  const kindWith = (runs: number, ...more: readonly Timed[]) => kindIn([...earlier(runs), begun, ...more]);

  test('is a program that no earlier run has started', () => {
    expect(kindWith(3, committed(2 * HOUR, 'now', ran('npx jest test/a.test.ts')))).toBe('unexpectedCommand');
    expect(kindWith(3, committed(2 * HOUR, 'now', ran('npm test', 'npm run build')))).toBe('unexpectedCommand');
  });
  test.each([
    ['other files and options', 3, ran('CI=1 npx vitest run --reporter=json test/b.test.ts')],
    ['an older event', 3, {}],
    ['the linter of a language that is changed for the first time', 3, { ...ran('ruff check'), paths: ['a.py'] }],
    ['few earlier runs', 2, ran('npx jest')],
    ['no earlier command', 0, ran('npx jest')],
  ])('is not: %s', (_, runs, more) => {
    expect(kindWith(runs, committed(2 * HOUR, 'now', more))).toBeNull();
  });
  test('is the program of an earlier language, whatever else is changed', () => {
    const changed = (commands: Partial<NightChange>, ...paths: readonly string[]) => ({ ...commands, paths });
    const before = many(3, (at) => committed(at, `run-${at}`, changed(ran('npm test'), 'a.ts')));
    const kindOf = (...paths: readonly string[]) =>
      kindIn([...before, begun, committed(2 * HOUR, 'now', changed(ran('npx jest'), ...paths))]);
    expect(kindOf('b.tsx')).toBe('unexpectedCommand');
    expect(kindOf('b.ts', 'b.py')).toBe('unexpectedCommand');
    expect(kindOf('b.py')).toBeNull();
  });
  test('is usual once a person has let it pass', () => {
    const jest = (at: number) => committed(at, 'now', ran('npx jest'));
    expect(kindWith(3, jest(2 * HOUR), answered(3 * HOUR, 'now'), jest(4 * HOUR))).toBeNull();
  });
});
