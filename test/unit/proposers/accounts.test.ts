// Budgets and attempts as the ledger tells of them.

import { expect, test } from 'vitest';
import { computeAccount, countRoundsOfRun, type AskEvent } from '../../../server/src/core/proposers/accounts.ts';
import { findStopReason } from '../../../server/src/core/proposers/budgets.ts';
import { findPrice } from '../../../server/src/core/proposers/prices.ts';
import { computeReplyLimit, computeTrafficLimit } from '../../../server/src/core/proposers/whatIsLeft.ts';
import { computeCost, computeCostOfExamples, costSentence } from '../../../server/src/core/proposers/cost.ts';
import type { AnsweredData, AskedData } from '../../../server/src/core/model/asks.ts';

const DAY = 24 * 60 * 60_000;
const task = { kind: 'request', id: 'k', opportunity: null, path: null } as const;
let count = 0;

function asked(at: number, more: Partial<AskedData> = {}): AskEvent & { readonly asked: AskedData } {
  count += 1;
  const budget = { replyTokens: 500, seconds: 60 };
  return {
    at,
    asked: { ask: `ask-${count}`, run: 'earlier', task, proposer: 'p', promptTokens: 100, budget, ...more },
  };
}

function answered(
  { at, asked: { ask, task: of } }: ReturnType<typeof asked>,
  more: Partial<AnsweredData> = {},
): AskEvent {
  const none = { reason: null, proposal: null, model: null, usage: null, format: null, rung: null, millis: 1 };
  return { at, answered: { ask, task: of, outcome: 'refused', ...none, ...more } };
}

const usage = (input: number, output: number) => ({ input, output, cached: 0, estimated: false });
const noMoney = { taskMoney: null, runMoney: null, dayMoney: null };
const wide = { taskTokens: 10_000, runTokens: null, dayTokens: 10_000, ...noMoney };
const unspent = {
  ...{ rounds: 0, crashes: 0, taskTokens: 0, runTokens: 0, dayTokens: 0 },
  ...{ taskMoney: 0, runMoney: 0, dayMoney: 0, taskSeconds: 0, runSeconds: 0, daySeconds: 0 },
  ...{ taskAttempts: 0, runAttempts: 0, dayAttempts: 0, recent: [], isSolved: false },
};
const unpriced = { name: 'p', price: null };

test('what a provider counts is spent; an attempt that died may have used all that it was given', () => {
  const [one, two, three] = [asked(1), asked(2), asked(3)];
  const events = [one, answered(one, { usage: usage(120, 30) }), two, answered(two), three];
  expect(computeAccount(events, 'k', 'now', 10)).toMatchObject({ taskTokens: 150 + 100 + 600, crashes: 1 });
});

test('what is under way in this process has not died', () => {
  expect(computeAccount([asked(1, { run: 'now' })], 'k', 'now', 10).crashes).toBe(0);
});

test('an outage costs nothing and is no attempt, unless the server may have charged for the question', () => {
  const price = { input: 1_000_000, output: 1_000_000 };
  const outage = { outcome: 'failed', outage: { until: null } } as const;
  const accountOf = (more: Partial<AnsweredData>) => {
    const one = asked(1, { price });
    return computeAccount([one, answered(one, { ...outage, ...more })], 'k', 'earlier', 10);
  };
  expect(accountOf({})).toMatchObject({ attempts: [], rounds: 0, dayTokens: 0, runMoney: 0 });
  expect(accountOf({ usage: usage(100, 500) })).toMatchObject({
    runTokens: 600,
    taskMoney: 600,
    attempts: [{}],
    rounds: 1,
    dayTokens: 600,
    runMoney: 600,
  });
});

test('the attempts of a run are without outages that cost nothing', () => {
  const questions = [1, 2, 3, 4].map((at) => asked(at, { run: 'now', ...(at > 2 ? { round: 'r' } : {}) }));
  const outage = { outcome: 'failed', outage: { until: null } } as const;
  const answers = questions.map((question, index) => answered(question, index === 1 ? outage : {}));
  const events = [...questions, ...answers, asked(5)];
  expect(countRoundsOfRun(events, 'k', 'now')).toBe(2);
});

test('other tasks count for the day, and not for the task; yesterday counts no longer', () => {
  const other = asked(DAY, { task: { ...task, id: 'other' } });
  const old = asked(1);
  const account = computeAccount([old, answered(old, { usage: usage(5, 5) }), other], 'k', 'now', DAY + 2);
  expect(account).toMatchObject({ taskTokens: 10, dayTokens: 600, crashes: 0 });
});

test('a limit of the day says when enough of it is free again, in whatever process it was used up', () => {
  const HOUR = DAY / 24;
  const price = { input: 1_000_000, output: 0 };
  const [first, second] = [asked(HOUR, { price, run: 'one' }), asked(3 * HOUR, { price, run: 'two' })];
  const events = [first, second].flatMap((event) => [event, answered(event, { usage: usage(400, 0) })]);
  const account = computeAccount(events, 'other', 'three', 4 * HOUR);
  const stopWith = (limits: object, promptTokens = 100) =>
    findStopReason(account, { ...wide, ...limits }, promptTokens, { name: 'p', price })?.reason;
  expect(stopWith({ dayTokens: 850 })).toMatch(
    /^800 of 850 tokens .* Done until then: 2 attempts, 1 s for questions, 800\.00 by your prices\. Raise models\.tokensPerDay, or wait for 21 hours\.$/,
  );
  expect(stopWith({ dayTokens: 450 })).toMatch(/, or wait for 23 hours\.$/);
  // The question alone is too long.
  expect(stopWith({ dayTokens: 90 })).toMatch(/Raise models\.tokensPerDay\.$/);
  expect(stopWith({ dayMoney: 850 })).toMatch(/Raise models\.costPerDay, or wait for 21 hours\.$/);
  const late = computeAccount(events, 'other', 'three', 24.5 * HOUR);
  expect(findStopReason(late, { ...wide, dayTokens: 850 }, 100, unpriced)?.reason).toMatch(/or wait for 30 minutes\.$/);
});

test('what a question in progress reserves is named, and free again when its time is up at the latest', () => {
  const price = { input: 1_000_000, output: 1_000_000 };
  const done = asked(1, { price });
  const waiting = asked(60_000, {
    price,
    run: 'other',
    promptTokens: 600,
    budget: { replyTokens: 4400, seconds: 600 },
  });
  const events = [done, answered(done, { usage: usage(4000, 0) }), waiting];
  const stopAt = (now: number, id: string, limits: object) =>
    findStopReason(computeAccount(events, id, 'mine', now), { ...wide, ...limits }, 100, { name: 'p', price });
  expect(stopAt(120_000, 'other', { dayTokens: 9000 })).toEqual({
    reason:
      '9,000 of 9,000 tokens are used since yesterday at this time, of which 4,400 are only reserved by a question in ' +
      'progress. Done until then: 2 attempts, 61 s for questions, 4600.00 by your prices. Raise models.tokensPerDay, ' +
      'or wait for 9 minutes.',
    scope: 'all',
    freeInMs: 540_000,
  });
  expect(stopAt(120_000, 'other', { dayMoney: 9000 })).toMatchObject({
    reason: expect.stringMatching(
      /, of which 4400\.00 are only reserved by a question in progress, .* wait for 9 minutes\.$/,
    ),
    freeInMs: 540_000,
  });
  expect(stopAt(120_000, 'k', { taskTokens: 9000 })?.reason).toMatch(
    /9,000 tokens, of which 4,400 are only reserved by a question in progress\. .* wait until that has ended/,
  );
  // Afterwards its process has died, and no answer comes.
  expect(stopAt(700_000, 'other', { dayTokens: 9000 })).toBeNull();
  expect(stopAt(700_000, 'k', { taskTokens: 9000 })).toBeNull();
  expect(stopAt(700_000, 'other', { dayTokens: 4600 })).toMatchObject({
    reason: expect.stringMatching(
      /^4,600 of 4,600 tokens are used since yesterday at this time\. .* wait for 24 hours\.$/,
    ),
  });
});

test('an agent at work reserves what its traffic may use, and others can be asked meanwhile', () => {
  const price = { input: 1_000_000, output: 2_000_000 };
  const limits = { ...wide, dayMoney: 20_000 };
  const { tokens, money } = computeTrafficLimit(unspent, limits, price);
  expect([tokens, money?.amount]).toEqual([5_000, 10_000]);
  const budget = { replyTokens: 500, seconds: 60, trafficTokens: tokens, trafficMoney: money!.amount };
  const agent = asked(1, { price, budget, run: 'window' });
  const atWork = computeAccount([agent], 'k', 'window', 10);
  expect(atWork).toMatchObject({ taskTokens: 5_000, runTokens: 5_000, dayTokens: 5_000, dayMoney: 10_000 });
  expect(findStopReason(atWork, limits, 100, { name: 'p', price })).toBeNull();
  expect(findStopReason(atWork, { ...limits, runTokens: 5_000 }, 100, unpriced)?.reason).toMatch(
    /^This run has used 5,000 of 5,000 tokens, of which 4,900 are only reserved by a question in progress\. Done until then: 1 attempt, .* Raise/,
  );
  // Most of what an agent sends, it has sent before: a fifth counts for the limits of tokens, and all of it as money.
  const done = answered(agent, { usage: { ...usage(1_000, 10), estimated: true, limited: 210 } });
  expect(computeAccount([agent, done], 'k', 'window', 10)).toMatchObject({
    dayTokens: 210,
    taskTokens: 210,
    dayMoney: 1_020,
  });
});

test('an agent whose process died counts with its question alone once its time is up', () => {
  const agent = asked(1, { budget: { replyTokens: 500, seconds: 60, trafficTokens: 5_000 } });
  expect(computeAccount([agent], 'k', 'now', 70_000)).toMatchObject({ dayTokens: 100, crashes: 1 });
});

test.each(['acceptance', 'migration'] as const)(
  '%s: what the person was shown is no failed attempt, and a refused answer is',
  (kind) => {
    const of = { ...task, kind };
    const [one, two] = [asked(1, { task: of }), asked(2, { task: of })];
    const events = [one, answered(one, { outcome: 'proposed' }), two, answered(two)];
    expect(computeAccount(events, 'k', 'now', 3)).toMatchObject({ rounds: 1, attempts: [{}, {}] });
  },
);

test('a person who begins anew has all attempts again, and the day keeps its count', () => {
  const [one, two] = [asked(1), asked(2, { fresh: true })];
  const events = [one, answered(one, { usage: usage(50, 50) }), two, answered(two, { usage: usage(1, 1) })];
  expect(computeAccount(events, 'k', 'now', 3)).toMatchObject({
    taskTokens: 2,
    dayTokens: 102,
    attempts: [{ ask: two.asked.ask }],
  });
});

test('a cancelled attempt costs and does not count', () => {
  const one = asked(1);
  const account = computeAccount([one, answered(one, { outcome: 'cancelled' })], 'k', 'now', 3);
  expect(account).toMatchObject({ attempts: [], taskTokens: 100 });
});

test.each([
  ['nine attempts', { attempts: 9 }, /9 attempts have failed/],
  ['eight attempts', { attempts: 8 }, null],
  ['three deaths', { crashes: 3 }, /ended 3 times/],
  ['two deaths', { crashes: 2 }, null],
  ['the budget of the task', { taskTokens: 9_950 }, /models\.tokensPerTask/],
  ['the last of it', { taskTokens: 9_900 }, null],
  ['the budget of the day', { dayTokens: 9_950 }, /models\.tokensPerDay/],
])(
  '%s',
  (_what, {
    attempts = 0,
    ...more
  }: { attempts?: number; crashes?: number; taskTokens?: number; dayTokens?: number }, reason) => {
    const told = findStopReason({ ...unspent, rounds: attempts, ...more }, wide, 100, unpriced);
    if (reason === null) expect(told).toBeNull();
    else
      expect(told).toMatchObject({
        reason: expect.stringMatching(reason),
        scope: /Day/.test(String(reason)) ? 'all' : 'task',
      });
  },
);

test('an answer is as long as what is left of the smallest budget', () => {
  const account = { ...unspent, taskTokens: 9_000, dayTokens: 9_500 };
  expect(computeReplyLimit(account, wide, 100, { price: null, maxReply: 16_000 })).toBe(400);
  expect(computeReplyLimit(account, wide, 100, { price: null, maxReply: 300 })).toBe(300);
  // A million tokens of answers cost 20: 0.002 is left for 100 of them, after 0.001 for the question.
  const paid = { ...wide, dayMoney: 1 };
  const price = { input: 10, output: 20 };
  expect(computeReplyLimit({ ...account, dayMoney: 0.997 }, paid, 100, { price, maxReply: 16_000 })).toBe(100);
});

test('several answers to one question are one attempt, and each of them costs', () => {
  const [one, two, three] = [asked(1, { round: 'r' }), asked(2, { round: 'r' }), asked(3)];
  const events = [one, two, three].flatMap((event) => [event, answered(event, { usage: usage(10, 5) })]);
  expect(computeAccount(events, 'k', 'now', 10)).toMatchObject({ rounds: 2, taskTokens: 45 });
});

test('a spare answer that becomes a proposal is counted once', () => {
  const one = asked(1);
  const events = [
    one,
    answered(one, { usage: usage(10, 5), outcome: 'spare' }),
    answered(one, { usage: usage(10, 5), outcome: 'proposed', proposal: 'p-1' }),
  ];
  expect(computeAccount(events, 'k', 'now', 10)).toMatchObject({ rounds: 1, taskTokens: 15 });
  expect(computeCost(events, 'p-1')).toMatchObject({ usage: usage(10, 5), attempts: 1 });
});

test('money is counted by the price at the time of the question: of a run, of a day, and of a question that died', () => {
  const price = { input: 10, output: 20, cached: 1 };
  const [here, died, unknown, old] = [
    asked(DAY + 5, { run: 'now', price }),
    asked(DAY + 6, { price }),
    asked(DAY + 7, { run: 'now' }),
    asked(1, { run: 'now', price }),
  ];
  const used = { input: 1_000_000, output: 500_000, cached: 400_000, estimated: false };
  const events = [
    old,
    answered(old, { usage: usage(100_000, 0) }),
    here,
    answered(here, { usage: used }),
    died,
    unknown,
  ];
  // 600,000 × 10 + 400,000 × 1 + 500,000 × 20 a million; 100 × 10 + 500 × 20 a million died with its process.
  const { runMoney, dayMoney } = computeAccount(events, 'k', 'now', DAY + 10);
  expect(runMoney).toBeCloseTo(16.4 + 1, 9);
  expect(dayMoney).toBeCloseTo(16.4 + 0.011, 9);
});

test('the money of a run includes the earlier sessions of its window or night, and nothing else', () => {
  const price = { input: 10, output: 20, cached: 1 };
  const [earlier, other] = [asked(1, { run: 'earlier', night: 1, price }), asked(2, { run: 'other', price })];
  const used = { input: 1_000_000, output: 0, cached: 0, estimated: false };
  const events = [earlier, answered(earlier, { usage: used }), other, answered(other, { usage: used })];
  const moneyOf = (continued?: Parameters<typeof computeAccount>[4]) =>
    computeAccount(events, 'k', 'now', 10, continued).runMoney;
  expect(moneyOf()).toBe(0);
  expect(moneyOf({ night: null, runs: new Set(['earlier', 'now']) })).toBe(10);
  expect(moneyOf({ night: 1, runs: new Set() })).toBe(10);
  expect(moneyOf({ night: 0, runs: new Set() })).toBe(0);
});

test.each([
  ['no limit and no price', {}, {}, null, null],
  ['a limit and no price', {}, { dayMoney: 5 }, null, /price of p is unknown/],
  ['a limit and a price', {}, { dayMoney: 5 }, { input: 10, output: 20 }, null],
  ['a free model', { dayMoney: 5 }, { dayMoney: 5 }, { input: 0, output: 0 }, null],
  ['a run that is used up', { runMoney: 4.9999 }, { runMoney: 5 }, { input: 10, output: 20 }, /--max-cost/],
  ['a task that is used up', { taskMoney: 5 }, { taskMoney: 5 }, { input: 10, output: 20 }, /costPerTask/],
  ['a day that is used up', { dayMoney: 5 }, { dayMoney: 5 }, { input: 10, output: 20 }, /costPerDay/],
])('%s: the limit of money', (_what, spent, limits, price, reason) => {
  const told = findStopReason({ ...unspent, ...spent }, { ...wide, ...limits }, 100, { name: 'p', price });
  if (reason === null) expect(told).toBeNull();
  else
    expect(told).toMatchObject({
      reason: expect.stringMatching(reason),
      scope: price === null ? 'proposer' : 'taskMoney' in limits ? 'task' : 'all',
    });
});

test('the tokens of a run are limited: of this session and those that it goes on with', () => {
  const [earlier, here, other] = [asked(1, { run: 'earlier' }), asked(2, { run: 'now' }), asked(3, { run: 'other' })];
  const events = [earlier, here, other].flatMap((event) => [event, answered(event, { usage: usage(300, 100) })]);
  const account = computeAccount(events, 'other', 'now', 10, { night: null, runs: new Set(['earlier']) });
  expect(account).toMatchObject({ runTokens: 800, taskTokens: 0 });
  const stopAt = (runTokens: number) => findStopReason(account, { ...wide, runTokens }, 100, unpriced);
  expect(stopAt(900)).toBeNull();
  expect(stopAt(899)).toEqual({
    reason: expect.stringMatching(
      /^This run has used 800 of 899 tokens\. Done until then: 2 attempts, 1 s for questions\. Raise models\.tokensPerRun/,
    ),
    scope: 'all',
    freeInMs: null,
  });
  expect(computeReplyLimit(account, { ...wide, runTokens: 1000 }, 100, { price: null, maxReply: 16_000 })).toBe(100);
});

test('a task that a person begins anew may cost as much money again, and traffic of an agent fits what is left', () => {
  const price = { input: 10_000, output: 20_000 };
  const [one, two] = [asked(1, { price }), asked(2, { price, fresh: true })];
  const events = [one, answered(one, { usage: usage(100, 50) }), two, answered(two, { usage: usage(100, 0) })];
  const account = computeAccount(events, 'k', 'now', 10);
  expect(account.taskMoney).toBeCloseTo(1, 9);
  // Half of what is left of the day stays for others.
  expect(computeTrafficLimit(account, wide, null)).toEqual({ tokens: 4_875, money: null });
  expect(computeTrafficLimit(account, { ...wide, dayTokens: 100_000 }, price)).toEqual({ tokens: 9_900, money: null });
  expect(computeTrafficLimit(account, { ...wide, taskMoney: 3 }, price).money?.amount).toBeCloseTo(2, 9);
  expect(computeTrafficLimit(account, { ...wide, dayMoney: 5 }, price).money?.amount).toBeCloseTo(1, 9);
  // As sent bytes, the tokens of the limit cost five times as much as tokens.
  expect(computeTrafficLimit(account, { ...wide, taskTokens: 102, taskMoney: 3 }, price).money?.amount).toBeCloseTo(
    0.1,
    9,
  );
});

test.each([
  ['anthropic:claude-9', 3],
  ['anthropic:claude-9-mini', 1],
  ['ollama:x', 0],
  ['openai:gpt', null],
])('%s costs %s', (name, input) => {
  const price = (one: number) => ({ input: one, output: 1 });
  const prices = { 'anthropic:*': price(3), 'anthropic:*-mini': price(1), 'ollama:*': price(0) };
  expect(findPrice(prices, name)?.input ?? null).toBe(input);
});

test('a proposal costs all attempts at its task up to its own, and none of another', () => {
  const other = { ...task, id: 'other' };
  const [before, one, two, later, elsewhere] = [
    asked(1),
    asked(2, { fresh: true }),
    asked(3),
    // Somebody began afresh afterwards.
    asked(4, { fresh: true }),
    asked(2, { task: other }),
  ];
  const events = [
    before,
    answered(before, { usage: usage(1_000, 1_000) }),
    one,
    answered(one, { usage: usage(1_200, 30), model: 'small' }),
    elsewhere,
    answered(elsewhere, { usage: usage(7, 7) }),
    two,
    answered(two, { usage: usage(100, 20), model: 'large', proposal: 'p-1' }),
    later,
    answered(later, { usage: usage(9, 9) }),
  ];
  const cost = computeCost(events, 'p-1');
  expect(cost).toMatchObject({ usage: usage(1_300, 50), attempts: 2, models: ['small', 'large'] });
  expect(costSentence(cost!)).toBe('It took 2 attempts by small, large: 1,300 tokens to ask and 50 to answer.');
  expect(computeCost(events, 'p-2')).toBeNull();
});

test('the examples of a recipe cost all attempts at its migration, up to the time that is asked about', () => {
  const [one, two, later] = [asked(1), asked(2), asked(9)];
  const events = [
    one,
    answered(one, { outcome: 'refused', usage: usage(1_000, 10) }),
    two,
    answered(two, { usage: usage(200, 40), model: 'small', recipes: ['r-1', 'r-2'] }),
    later,
    { ...answered(later, { usage: usage(7, 7), recipes: ['r-1'] }), at: 9 },
  ];
  const cost = computeCostOfExamples(events, 'r-1', 8);
  expect(cost).toMatchObject({ usage: usage(1_200, 50), attempts: 2, models: ['small'], recipe: 'r-1' });
  expect(costSentence(cost!)).toBe(
    'Learned from examples that cost 1,200 tokens to ask and 50 to answer, once for all places (2 attempts by small).',
  );
  expect(computeCostOfExamples(events, 'r-1', 9)?.usage).toEqual(usage(1_207, 57));
  expect(computeCostOfExamples(events, 'r-3', 9)).toBeNull();
});

test('what Anthropic stores in its cache costs a quarter more than other input, unless the person says otherwise', () => {
  const plain = { input: 4, output: 1 };
  expect(findPrice({ '*': plain }, 'anthropic:m')).toEqual({ ...plain, written: 5 });
  expect(findPrice({ '*': { ...plain, written: 4 } }, 'anthropic:m')).toEqual({ ...plain, written: 4 });
  expect(findPrice({ '*': plain }, 'openai:m')).toEqual(plain);
});
