// Which way works for which rule: rates with intervals, an order that follows from the ledger alone, and more kept
// changes than without it.

import { expect, test } from 'vitest';
import {
  createPromiseScore,
  collectStrategies,
  createFailingTest,
  createRestingTest,
  type Trial,
} from '../../../server/src/core/learn/strategies.ts';
import { selectCandidates } from '../../../server/src/core/prioritise/prioritise.ts';
import { NO_DECISIONS, type Decisions } from '../../../server/src/core/prioritise/calibrate.ts';
import type { Opportunity } from '../../../server/src/core/model.ts';
import { findPausedRules } from '../../../server/src/core/ledger/decisions.ts';
import { createSeededRandom } from '../../helpers/randomFrom.ts';

const trial = (id: string, rule: string, kept: boolean, more: Partial<Trial> = {}): Trial => ({
  id,
  rule,
  by: 'r',
  kept,
  unwanted: false,
  seconds: 10,
  tokens: 0,
  ...more,
});
const trials = (rule: string, kept: number, failed: number, more: Partial<Trial> = {}): Trial[] => [
  ...Array.from({ length: kept }, (_, at) => trial(`${rule}-k${at}`, rule, true, more)),
  ...Array.from({ length: failed }, (_, at) => trial(`${rule}-f${at}`, rule, false, more)),
];

test('a rate has an interval that narrows with more tries', () => {
  const [many, few] = collectStrategies([...trials('many', 45, 15), ...trials('few', 3, 1)]);
  expect([many?.rule, many?.tries, many?.kept, few?.rule]).toEqual(['many', 60, 45, 'few']);
  for (const { rate, low, high } of [many!, few!]) {
    expect(low).toBeLessThan(rate);
    expect(high).toBeGreaterThan(rate);
  }
  expect(many!.high - many!.low).toBeLessThan((few!.high - few!.low) / 2);
});

test('without a try everything is equally promising, and rules that were never tried stay so', () => {
  const none = createPromiseScore([]);
  expect([none('a', 'r'), none('b', 'r')]).toEqual([1, 1]);
  const some = createPromiseScore(trials('a', 1, 4));
  expect(some('b', 'r')).toBe(some('c', 'other'));
});

test('the draws follow from the tries alone, whatever their order, and change with each try', () => {
  const all = [...trials('a', 3, 2), ...trials('b', 1, 1)];
  expect(createPromiseScore(all.toReversed())('a', 'r')).toBe(createPromiseScore(all)('a', 'r'));
  expect(createPromiseScore([...all, trial('new', 'b', true)])('a', 'r')).not.toBe(createPromiseScore(all)('a', 'r'));
});

test('of two ways with the same rate, the one that takes a fraction of the time is usually more promising', () => {
  let quick = 0;
  for (let at = 0; at < 100; at += 1) {
    const promise = createPromiseScore([
      trial('other', `other-${at}`, true, { seconds: 50 }),
      ...trials('q', 10, 10, { seconds: 5 }),
      ...trials('s', 10, 10, { seconds: 100 }),
    ]);
    if (promise('q', 'r') > promise('s', 'r')) quick += 1;
  }
  expect(quick).toBeGreaterThan(95);
});

test('a strategy rests after two changes that a person turned down, unless as many were kept', () => {
  const turnedDown = (count: number) => trials('a', 0, count, { unwanted: true });
  expect(createRestingTest([...turnedDown(1), ...trials('a', 0, 9)])('a', 'r')).toBe(false);
  expect(createRestingTest(turnedDown(2))('a', 'r')).toBe(true);
  expect(createRestingTest(turnedDown(2))('a', 'other')).toBe(false);
  expect(createRestingTest([...turnedDown(2), ...trials('a', 2, 0)])('a', 'r')).toBe(false);
  expect(createRestingTest([...turnedDown(3), ...trials('a', 2, 0)])('a', 'r')).toBe(true);
});

test('a strategy has failed after two tries of which none was kept', () => {
  expect(createFailingTest(trials('a', 0, 1))('a', 'r')).toBe(false);
  expect(createFailingTest(trials('a', 0, 2))('a', 'r')).toBe(true);
  expect(createFailingTest(trials('a', 0, 2))('a', 'other')).toBe(false);
  expect(createFailingTest([...trials('a', 0, 9), ...trials('a', 1, 0)])('a', 'r')).toBe(false);
});

test('a time that nobody measured counts as average', () => {
  const [only] = collectStrategies([trial('x', 'a', true, { seconds: null })]);
  expect(only?.seconds).toBeNull();
  expect(Number.isFinite(createPromiseScore([trial('x', 'a', true, { seconds: null })])('a', 'r'))).toBe(true);
});

test('of two strategies with rates of 0.2 and 0.6, the better is picked in at least 80 % of the picks after 60', () => {
  let better = 0;
  const seeds = 20;
  for (let seed = 0; seed < seeds; seed += 1) {
    const random = createSeededRandom(seed);
    const known: Trial[] = [];
    for (let at = 0; at < 160; at += 1) {
      const promise = createPromiseScore(known);
      const rule = promise('good', 'r') > promise('bad', 'r') ? 'good' : 'bad';
      if (at >= 60 && rule === 'good') better += 1;
      known.push(trial(`${seed}-${at}`, rule, random() < (rule === 'good' ? 0.6 : 0.2)));
    }
  }
  expect(better / (seeds * 100)).toBeGreaterThanOrEqual(0.8);
});

// 8 rules, whose impact says nothing about whether their changes are kept. Each place is tried once, and a rule rests
// for a day after five failures in a row. The second night finds new places of the same rules.
const RULES = 8;
const PLACES = 30;
const ATTEMPTS = 60;
const DAY = 86_400_000;

test('with the same number of attempts, the second night keeps more changes than by priority alone', () => {
  const pairs = Array.from({ length: 60 }, (_, seed) => [nightsOf(seed, true), nightsOf(seed, false)] as const);
  for (const [night, name] of [
    [0, 'first'],
    [1, 'second'],
  ] as const) {
    const gains = pairs.map(([learned, byPriority]) => learned[night] - byPriority[night]);
    const mean = gains.reduce((sum, gain) => sum + gain, 0) / gains.length;
    const before = pairs.reduce((sum, [, byPriority]) => sum + byPriority[night], 0) / pairs.length;
    const deviation = Math.sqrt(gains.reduce((sum, gain) => sum + (gain - mean) ** 2, 0) / (gains.length - 1));
    const half = (1.96 * deviation) / Math.sqrt(gains.length);
    console.info(
      `The ${name} night, ${ATTEMPTS} attempts: ${before.toFixed(1)} kept, ${mean.toFixed(1)} more (95 %: ± ${half.toFixed(1)})`,
    );
    expect(mean - half).toBeGreaterThan(0);
  }
});

/** The numbers of kept changes in two simulated nights. */
function nightsOf(seed: number, learns: boolean): readonly [number, number] {
  const random = createSeededRandom(seed);
  const rules = Array.from({ length: RULES }, (_, at) => ({
    rule: `rule-${at}`,
    rate: random(),
    impact: 20 + random() * 60,
  }));
  const outcomes = new Map<string, boolean>();
  const places = [0, 1].map((night) =>
    rules.flatMap(({ rule, rate, impact }) =>
      Array.from({ length: PLACES }, (_, at) => {
        const place = placeOf(rule, impact, night * PLACES + at);
        outcomes.set(place.id, random() < rate);
        return place;
      }),
    ),
  );
  const known: Trial[] = [];
  const finished = new Map<string, { at: number; rule: string; failed: boolean }>();
  const decisions = new Map<string, Decisions>();
  const night = (which: number) => {
    let kept = 0;
    for (let at = 0; at < ATTEMPTS; at += 1) {
      const now = which * 2 * DAY + at;
      const [next] = selectCandidates(places.slice(0, which + 1).flat(), {
        inDegree: new Map(),
        decisions,
        refused: new Set(finished.keys()),
        pausedRules: findPausedRules({ outcomes: finished }, now),
        ...(learns ? { promising: createPromiseScore(known) } : {}),
      });
      if (!next) break;
      const isKept = outcomes.get(next.id)!;
      const decided = decisions.get(next.rule) ?? NO_DECISIONS;
      if (isKept) {
        kept += 1;
        decisions.set(next.rule, { ...decided, kept: decided.kept + 1 });
      }
      finished.set(next.id, { at: now, rule: next.rule, failed: !isKept });
      known.push(trial(next.id, next.rule, isKept));
    }
    return kept;
  };
  return [night(0), night(1)];
}

function placeOf(rule: string, impact: number, at: number): Opportunity {
  const range = { startLine: at + 1, startColumn: 1, endLine: at + 1, endColumn: 2 };
  return {
    id: `${rule} ${at}`,
    rule,
    path: 'a.ts',
    range,
    nameRange: range,
    symbol: null,
    severity: 'hint',
    impact,
    confidence: 0.8,
    message: '',
    evidence: {},
    recipe: 'r',
  };
}
