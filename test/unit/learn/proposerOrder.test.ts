// Who of several proposers is asked first, by success per cost, and when the evidence is enough to tell a person.

import { expect, test } from 'vitest';
import { findBetterProposers, computeProbabilityOfBetter } from '../../../server/src/core/learn/betterProposers.ts';
import { orderProposers, type ProposerKind, type ProposerTrial } from '../../../server/src/core/learn/proposerOrder.ts';
import { createSeededRandom } from '../../helpers/randomFrom.ts';

const RULE = 'prefer-const';
const NAMES = ['ollama:a', 'openai:b'];
const [A, B] = NAMES as [string, string];
const free = (): ProposerKind => 'free';
const DRAWN = { preferences: [], draws: true, kindOf: free };

/** As many answers of a proposer as are passed and failed. */
function answers(proposer: string, passed: number, failed: number, more: Partial<ProposerTrial> = {}): ProposerTrial[] {
  return Array.from({ length: passed + failed }, (_, index) => ({
    rule: RULE,
    proposer,
    passed: index < passed,
    money: null,
    tokens: 1000,
    seconds: 10,
    sequence: index + 1,
    ...more,
  }));
}

const orderOf = (trials: readonly ProposerTrial[], rule = RULE, names = NAMES) =>
  orderProposers(trials, rule, names, DRAWN).figures.map(({ name }) => name);

test('a list of which nobody was tried keeps its order', () => {
  const order = orderProposers(answers('openai:c', 5, 0), RULE, NAMES, DRAWN);
  expect(order).toMatchObject({ basis: 'untried', figures: [{ name: A }, { name: B }] });
});

test('the same trials give the same order, however they are ordered', () => {
  const trials = [...answers(A, 3, 3), ...answers(B, 3, 3)];
  expect(orderProposers(trials.toReversed(), RULE, NAMES, DRAWN)).toEqual(orderProposers(trials, RULE, NAMES, DRAWN));
});

test('who passes more often comes first, and who costs less for the same success', () => {
  expect(orderOf([...answers(A, 1, 19), ...answers(B, 19, 1)])).toEqual([B, A]);
  expect(orderOf([...answers(A, 19, 1), ...answers(B, 1, 19)])).toEqual([A, B]);
  expect(orderOf([...answers(A, 20, 20, { tokens: 9000 }), ...answers(B, 20, 20, { tokens: 1000 })])).toEqual([B, A]);
});

test('money counts before tokens, and tokens before seconds, if they are known of each', () => {
  const priced = answers(A, 4, 4, { money: 0.1 });
  const unit = (others: ProposerTrial[]) => orderProposers([...priced, ...others], RULE, NAMES, DRAWN).figures[0]!.unit;
  expect(unit(answers(B, 4, 4, { money: 0.2 }))).toBe('money');
  expect(unit(answers(B, 4, 4))).toBe('tokens');
  expect(unit(answers(B, 4, 4, { tokens: null }))).toBe('seconds');
  expect(unit([])).toBe('money');
});

test('a rule without a trial of its own takes the rates of its proposers for other rules', () => {
  const trials = [...answers(A, 0, 30), ...answers(B, 30, 0)];
  const order = orderProposers(trials, 'index-loop', NAMES, DRAWN);
  const [first, second] = order.figures;
  expect(first).toMatchObject({ name: B, tries: 0 });
  expect(first!.rate).toBeGreaterThan(0.9);
  expect(second!.rate).toBeLessThan(0.1);
});

test('a preference of a person precedes the draw and the list, and the newest one wins', () => {
  const trials = [...answers(A, 19, 1), ...answers(B, 1, 19)];
  const names = (preferences: { rule: string; first: string; second: string }[], draws = true) =>
    orderProposers(trials, RULE, NAMES, { preferences, draws, kindOf: free }).figures.map(({ name }) => name);
  const preference = { rule: RULE, first: B, second: A };
  expect(names([preference])).toEqual([B, A]);
  expect(names([preference], false)).toEqual([B, A]);
  expect(names([{ ...preference, rule: 'other' }])).toEqual([A, B]);
  expect(names([preference, { rule: RULE, first: A, second: B }])).toEqual([A, B]);
  const three = orderProposers(trials, RULE, [A, 'x:c', B], {
    preferences: [preference],
    draws: false,
    kindOf: free,
  });
  expect(three.figures.map(({ name }) => name)).toEqual([B, A, 'x:c']);
});

/** The share of different histories in which this one comes first. */
function shareFirst(
  name: string,
  names: readonly string[],
  history: (index: number) => ProposerTrial[],
  kinds = kindsByName,
) {
  const firsts = Array.from({ length: 60 }, (_, index) => {
    const options = { preferences: [], draws: true, kindOf: kinds };
    return orderProposers(history(index + 1), RULE, names, options).figures[0]!.name;
  });
  return firsts.filter((first) => first === name).length / firsts.length;
}

const kindsByName = (name: string): ProposerKind => (name.startsWith('ollama:') ? 'free' : 'remote');

test('nobody who costs money or gets code is drawn before one on this machine that the list has earlier', () => {
  const failing = (index: number) => answers(A, index % 3, 5 + index, { money: 0 });
  expect(shareFirst(A, NAMES, failing)).toBe(1);
  expect(shareFirst(A, NAMES, (index) => [...failing(index), ...answers(B, 9, 0, { money: 0.1 })])).toBe(1);
  const priced = (name: string): ProposerKind => (name === A ? 'free' : 'local');
  expect(shareFirst(A, NAMES, (index) => [...failing(index), ...answers(B, 9, 0, { money: 0.1 })], priced)).toBe(1);
  const order = orderProposers(failing(1), RULE, NAMES, { ...DRAWN, kindOf: kindsByName });
  expect(order).toMatchObject({ basis: 'costly', figures: [{ name: A }, { name: B }] });
  // The person has the last word.
  const preferences = [{ rule: RULE, first: B, second: A }];
  const preferred = orderProposers(failing(1), RULE, NAMES, { ...DRAWN, preferences, kindOf: kindsByName });
  expect(preferred.figures.map(({ name }) => name)).toEqual([B, A]);
});

test('among neighbours of one kind the better one is drawn first; a remote one only if its money is known', () => {
  const names = ['ollama:a', 'ollama:c', 'openai:b', 'openai:d'];
  const local = [...answers('ollama:a', 1, 19, { money: 0 }), ...answers('ollama:c', 19, 1, { money: 0 })];
  const remote = (money: number | null) => [
    ...answers('openai:b', 1, 19, { money }),
    ...answers('openai:d', 19, 1, { money }),
  ];
  const options = { ...DRAWN, kindOf: kindsByName };
  const order = (trials: ProposerTrial[]) => orderProposers(trials, RULE, names, options);
  const priced = order([...local, ...remote(0.1)]);
  expect(priced.basis).toBe('drawn');
  expect(priced.figures).toMatchObject([
    { name: 'ollama:c', unit: 'tokens' },
    { name: 'ollama:a', unit: 'tokens' },
    { name: 'openai:d', unit: 'money' },
    { name: 'openai:b', unit: 'money' },
  ]);
  const unpriced = order([...local, ...remote(null)]).figures.map(({ name }) => name);
  expect(unpriced).toEqual(['ollama:c', 'ollama:a', 'openai:b', 'openai:d']);
  // The first one of a list was written there by the person, whatever it costs.
  expect(orderProposers(local, RULE, ['openai:b', 'ollama:a', 'ollama:c'], options).figures[0]!.name).toBe('openai:b');
});

test('a dear rule does not count against the one that was tried for it', () => {
  const names = ['ollama:a', 'ollama:c'];
  const history = (index: number) => [
    ...answers('ollama:a', 9, 1, { tokens: 20_000 }),
    ...answers('ollama:c', 4 + index, 6 + index, { rule: 'other', tokens: 500 }),
  ];
  expect(shareFirst('ollama:a', names, history)).toBeGreaterThan(0.6);
  const [tried, untried] = names.map(
    (name) => orderProposers(history(1), RULE, names, DRAWN).figures.find((figures) => figures.name === name)!,
  );
  expect(untried).toMatchObject({ tries: 0, cost: null, worth: untried!.draw });
  expect(tried!.worth).toBeCloseTo(tried!.draw);
});

test('of two proposers with rates of 0.2 and 0.6, the better is first in at least 80 % of the draws after 60', () => {
  const random = createSeededRandom(7);
  let [first, draws] = [0, 0];
  for (let run = 0; run < 20; run += 1) {
    const trials: ProposerTrial[] = [];
    for (let step = 0; step < 90; step += 1) {
      const [by] = orderOf(trials);
      trials.push({ ...answers(by!, 1, 0)[0]!, passed: random() < (by === B ? 0.6 : 0.2), sequence: step + 1 });
      if (step < 60) continue;
      draws += 1;
      if (by === B) first += 1;
    }
  }
  expect(first / draws).toBeGreaterThanOrEqual(0.8);
});

const found = (trials: readonly ProposerTrial[], preferences: { rule: string; first: string; second: string }[] = []) =>
  findBetterProposers([{ names: NAMES, trials }], preferences);

test('the later one on a list is better beyond doubt from eight answers of each on', () => {
  expect(found([...answers(A, 0, 7), ...answers(B, 8, 0)])).toEqual([]);
  const [better, ...others] = found([...answers(A, 1, 7), ...answers(B, 8, 0)]);
  expect(others).toEqual([]);
  expect(better).toMatchObject({
    rule: RULE,
    first: B,
    second: A,
    unit: 'tokens',
    better: { tries: 8, passed: 8, cost: 1000 },
    worse: { tries: 8, passed: 1 },
  });
  expect(better!.probability).toBeGreaterThan(0.95);
});

test('nothing is found if the list has the better one first, or if the person prefers it already', () => {
  expect(found([...answers(A, 8, 0), ...answers(B, 1, 7)])).toEqual([]);
  const trials = [...answers(A, 1, 7), ...answers(B, 8, 0)];
  expect(found(trials, [{ rule: RULE, first: B, second: A }])).toEqual([]);
  // What the person prefers may turn out to be worse.
  const turned = [...answers(A, 8, 0), ...answers(B, 1, 7)];
  expect(found(turned, [{ rule: RULE, first: B, second: A }])).toMatchObject([{ first: A, second: B }]);
});

test('more success at a much higher price is not better, and the same success at a lower one is', () => {
  const cheap = answers(A, 10, 10, { money: 0.01 });
  expect(found([...cheap, ...answers(B, 19, 1, { money: 0.2 })])).toEqual([]);
  expect(found([...answers(A, 10, 10, { money: 0.2 }), ...answers(B, 10, 10, { money: 0.01 })])).toHaveLength(1);
});

test('costs that vary much are less certain', () => {
  const varied = (by: string, costs: readonly number[]) =>
    answers(by, 10, 10).map((trial, index) => ({ ...trial, tokens: costs[index % costs.length]! }));
  const steady = computeProbabilityOfBetter(varied(B, [500]), varied(A, [1000]), 'tokens');
  const varying = computeProbabilityOfBetter(varied(B, [10, 10, 10, 1970]), varied(A, [1000]), 'tokens');
  expect(varying).toBeLessThan(steady);
  expect(computeProbabilityOfBetter(answers(B, 5, 5), answers(A, 5, 5), 'tokens')).toBeCloseTo(0.5, 2);
});

test('of equal proposers, few are called better although the evidence is looked at again and again', () => {
  const random = createSeededRandom(11);
  const shareOfCalled = (rateOfB: number) => {
    const runs = Array.from({ length: 40 }, () => {
      const trials: ProposerTrial[] = [];
      for (let step = 0; step < 60; step += 1) {
        const by = NAMES[step % 2]!;
        trials.push({ ...answers(by, 1, 0)[0]!, passed: random() < (by === B ? rateOfB : 0.4), sequence: step + 1 });
        if (step % 4 === 3 && found(trials).length > 0) return 1;
      }
      return 0;
    });
    return runs.reduce<number>((sum, called) => sum + called, 0) / runs.length;
  };
  const [equal, better] = [shareOfCalled(0.4), shareOfCalled(0.8)];
  console.info(`Called better within 30 answers of each: ${equal} of equal ones, ${better} of 0.8 against 0.4`);
  expect(equal).toBeLessThan(0.25);
  expect(better).toBeGreaterThan(0.75);
});
