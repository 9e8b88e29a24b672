// Which of two models is better: more than 1 %, beyond noise, on the examples that both were measured on.

import { expect, test } from 'vitest';
import {
  compareModels,
  computeModelFigures,
  type ModelAnswer,
} from '../../../../server/src/core/learn/training/evaluation.ts';
import { computeBleu } from '../../../../server/src/core/learn/training/bleu.ts';

const answer = (n: number, more: Partial<ModelAnswer>): ModelAnswer => ({
  id: `e${String(n).padStart(4, '0')}`,
  reply: null,
  logProbability: null,
  tokens: null,
  success: null,
  ...more,
});
const answers = (count: number, of: (n: number) => Partial<ModelAnswer>) =>
  Array.from({ length: count }, (_, n) => answer(n, of(n)));
const successes = (count: number, hits: number) => answers(count, (n) => ({ success: n < hits }));
/** Every example with the same perplexity, so that there is no noise. */
const perplexity = (count: number, value: number) =>
  answers(count, () => ({ logProbability: -10 * Math.log(value), tokens: 10 }));

test.each([
  ['1.0 % more right', successes(1000, 500), successes(1000, 510), false],
  ['1.1 % more right', successes(1000, 500), successes(1000, 511), true],
  ['a perplexity that falls by 1.0 %', perplexity(20, 100), perplexity(20, 99), false],
  ['a perplexity that falls by 1.1 %', perplexity(20, 100), perplexity(20, 98.9), true],
  ['the same', successes(1000, 500), successes(1000, 500), false],
  ['worse', perplexity(20, 100), perplexity(20, 120), false],
  ['too few examples', perplexity(9, 100), perplexity(9, 50), false],
])('%s', (_what, current, candidate, better) => {
  expect(compareModels(current, candidate)).toMatchObject({ better });
});

test('more than 1 %, but within noise, is refused', () => {
  // 12 gained and 9 lost of 100: 3 % more.
  const current = answers(100, (n) => ({ success: n < 9 }));
  const candidate = answers(100, (n) => ({ success: n >= 9 && n < 21 }));
  const { better, gain, low, reason } = compareModels(current, candidate);
  expect(better).toBe(false);
  expect(gain).toBeCloseTo(0.03);
  expect(low).toBeLessThan(0);
  expect(reason).toContain('may be noise');
});

test('success decides before perplexity, unless no example tells the models apart', () => {
  const both = (success: boolean, value: number) => perplexity(20, value).map((one) => ({ ...one, success }));
  expect(compareModels(both(true, 100), both(false, 50))).toMatchObject({ metric: 'success', better: false });
  expect(compareModels(both(true, 100), both(true, 50))).toMatchObject({ metric: 'perplexity', better: true });
});

test('what was not measured is null, and an example that was measured for one model only counts for neither', () => {
  const none = compareModels(
    answers(20, () => ({})),
    answers(20, () => ({})),
  );
  expect(none).toMatchObject({ metric: null, gain: null, better: false });
  expect(
    computeModelFigures(
      answers(3, () => ({})),
      new Map(),
    ),
  ).toEqual({
    examples: 3,
    success: null,
    perplexity: null,
    bleu: null,
  });
  // The candidate has no figure for the hard half.
  const current = answers(20, (n) => ({ logProbability: n < 10 ? -10 : -100, tokens: 10 }));
  const candidate = answers(20, (n) => (n < 10 ? { logProbability: -10, tokens: 10 } : {}));
  expect(compareModels(current, candidate)).toMatchObject({ gain: 0, better: false });
});

test('what was right and is unknown now counts as a loss', () => {
  // The candidate gives 90 answers that nobody can judge, and 10 good ones to what was wrong.
  const current = successes(100, 90);
  const candidate = answers(100, (n) => ({ success: n < 90 ? null : true }));
  expect(compareModels(current, candidate)).toMatchObject({ metric: 'success', gain: -0.8, better: false });
});

test('a small share of the held-out examples decides nothing', () => {
  const current = answers(100, (n) => ({ success: n < 40 ? false : null }));
  const candidate = answers(100, (n) => ({ success: n < 40 ? true : null }));
  const refused = compareModels(current, candidate);
  expect(refused).toMatchObject({ metric: 'success', better: false });
  expect(refused.reason).toContain('only 40 of 100');
  const half = (answered: readonly ModelAnswer[]) => answered.slice(0, 80);
  expect(compareModels(half(current), half(candidate)).better).toBe(true);
});

test('a tokenizer that splits answers into more tokens gains nothing', () => {
  const current = answers(20, () => ({ logProbability: -20, tokens: 10 }));
  // As probable as before, and one that is less probable; per token of its own, both would look better.
  const same = answers(20, () => ({ logProbability: -20, tokens: 40 }));
  const worse = answers(20, () => ({ logProbability: -30, tokens: 40 }));
  expect(compareModels(current, same)).toMatchObject({ gain: 0, better: false });
  expect(compareModels(current, worse).gain).toBeLessThan(0);
  const better = answers(20, () => ({ logProbability: -15, tokens: 5 }));
  expect(compareModels(current, better).better).toBe(true);
});

test('the same answers give the same interval', () => {
  const current = answers(50, (n) => ({ logProbability: -(n + 1), tokens: 10 }));
  const candidate = answers(50, (n) => ({ logProbability: -(n + 1) * 0.9, tokens: 10 }));
  expect(compareModels(current, candidate)).toEqual(compareModels(current, candidate.toReversed()));
});

test('BLEU: 1 for the same words, 0 for others, and a shorter answer loses', () => {
  expect(computeBleu([['const a = 1;', 'const a = 1;']])).toBeCloseTo(1);
  expect(computeBleu([['x y', 'const a = 1;']])).toBe(0);
  expect(computeBleu([['', 'const a = 1;']])).toBe(0);
  expect(computeBleu([])).toBeNull();
  // By hand: 3 of 3 words, 2+1 of 2+1, 1+1 of 1+1, 0+1 of 0+1; 3 words for 5, so e^(1 − 5/3).
  expect(computeBleu([['const a =', 'const a = 1;']])).toBeCloseTo(Math.exp(1 - 5 / 3));
  // By hand: 2 of 3 words, 1+1 of 2+1, 0+1 of 1+1, 0+1 of 0+1.
  expect(computeBleu([['a b x', 'a b c']])).toBeCloseTo(((2 / 3) * (2 / 3) * (1 / 2)) ** (1 / 4));
});
