// The one judgement that agents may have running: joined by an equal request, refused for another, ended by its caller.

import { expect, test } from 'vitest';
import type { Judgement } from '../../../server/src/core/model/judgement.ts';
import { createJudgements, type ChangeJudge } from '../../../server/src/tools/judgements.ts';

const MAIN = { base: 'main', head: null, seconds: null };
const JUDGEMENT = { base: 'main' } as unknown as Judgement;
const waiting = (seconds: number, signal = new AbortController().signal) => ({ seconds, signal });

function createJudge() {
  const calls: { readonly signal: AbortSignal; finish(): void }[] = [];
  const state = { trees: 'first' };
  const judge: ChangeJudge = {
    rootDir: '/a',
    identify: async () => state.trees,
    judge: (_, { signal, report }) =>
      new Promise((resolve, reject) => {
        signal.addEventListener('abort', () => reject(new Error('ended')), { once: true });
        report?.({ stage: 'verifying', done: 1, total: 2, message: 'Tests' });
        calls.push({ signal, finish: () => resolve(JUDGEMENT) });
      }),
  };
  return { calls, judge, state };
}

test('an equal request waits for the judgement that runs; the next one after the answer begins again', async () => {
  const { calls, judge } = createJudge();
  const judgements = createJudgements();
  expect((await judgements.ask(MAIN, judge, waiting(0))).judgement).toBe(null);
  const joined = judgements.ask({ ...MAIN, seconds: 5 }, judge, waiting(60));
  await Promise.resolve();
  expect(calls).toHaveLength(1);
  calls[0]!.finish();
  expect((await joined).judgement).toBe(JUDGEMENT);
  expect((await judgements.ask(MAIN, judge, waiting(0))).judgement).toBe(null);
  expect(calls).toHaveLength(2);
  await judgements.close();
  expect(calls[1]!.signal.aborted).toBe(true);
});

test('an answer that nobody waited for is given to the next equal request', async () => {
  const { calls, judge } = createJudge();
  const judgements = createJudgements();
  await judgements.ask(MAIN, judge, waiting(0));
  calls[0]!.finish();
  expect((await judgements.ask(MAIN, judge, waiting(60))).judgement).toBe(JUDGEMENT);
  expect(calls).toHaveLength(1);
});

test('another change has to wait, until the first is done', async () => {
  const { calls, judge } = createJudge();
  const judgements = createJudgements();
  await judgements.ask(MAIN, judge, waiting(0));
  await expect(judgements.ask({ ...MAIN, head: 'next' }, judge, waiting(0))).rejects.toMatchObject({
    reason: 'conflict',
  });
  calls[0]!.finish();
  await Promise.resolve();
  expect((await judgements.ask({ ...MAIN, head: 'next' }, judge, waiting(0))).judgement).toBe(null);
  expect(calls).toHaveLength(2);
  await judgements.close();
});

test('a caller that cancels ends the judgement', async () => {
  const { calls, judge } = createJudge();
  const judgements = createJudgements();
  const caller = new AbortController();
  const asked = judgements.ask(MAIN, judge, waiting(60, caller.signal));
  await Promise.resolve().then(() => Promise.resolve());
  caller.abort();
  await expect(asked).rejects.toMatchObject({ reason: 'cancelled' });
  expect(calls[0]!.signal.aborted).toBe(true);
  expect((await judgements.ask(MAIN, judge, waiting(0))).judgement).toBe(null);
  expect(calls).toHaveLength(2);
  await judgements.close();
});

test('the answer for one repository is none for another', async () => {
  const { calls, judge } = createJudge();
  const judgements = createJudgements();
  await judgements.ask(MAIN, judge, waiting(0));
  const elsewhere = { ...judge, rootDir: '/b' };
  await expect(judgements.ask(MAIN, elsewhere, waiting(0))).rejects.toMatchObject({ reason: 'conflict' });
  calls[0]!.finish();
  await Promise.resolve();
  expect((await judgements.ask(MAIN, elsewhere, waiting(0))).judgement).toBe(null);
  expect(calls).toHaveLength(2);
  await judgements.close();
});

test('an answer about files or commits that have changed since is given to nobody', async () => {
  const { calls, judge, state } = createJudge();
  const judgements = createJudgements();
  await judgements.ask(MAIN, judge, waiting(0));
  calls[0]!.finish();
  await Promise.resolve();
  state.trees = 'second';
  expect((await judgements.ask(MAIN, judge, waiting(0))).judgement).toBe(null);
  expect(calls).toHaveLength(2);
  // One that still runs is ended.
  state.trees = 'third';
  expect((await judgements.ask(MAIN, judge, waiting(0))).judgement).toBe(null);
  expect(calls.map(({ signal }) => signal.aborted)).toEqual([false, true, false]);
  // A caller waits for this one.
  const waited = judgements.ask(MAIN, judge, waiting(60));
  await Promise.resolve();
  await Promise.resolve();
  state.trees = 'fourth';
  await expect(judgements.ask(MAIN, judge, waiting(0))).rejects.toMatchObject({ reason: 'conflict' });
  calls[2]!.finish();
  expect((await waited).judgement).toBe(JUDGEMENT);
});

test('an answer that was given less time than is asked for is not given', async () => {
  const { calls, judge } = createJudge();
  const judgements = createJudgements();
  await judgements.ask({ ...MAIN, seconds: 5 }, judge, waiting(0));
  calls[0]!.finish();
  await Promise.resolve();
  expect((await judgements.ask({ ...MAIN, seconds: 60 }, judge, waiting(0))).judgement).toBe(null);
  expect(calls).toHaveLength(2);
  await judgements.close();
});

test('an error that nobody waited for is no answer to a later call', async () => {
  const { calls, judge } = createJudge();
  const judgements = createJudgements();
  const failing = { ...judge, judge: () => Promise.reject(new Error('failed')) };
  await judgements.ask(MAIN, { ...judge, judge: () => delayedFailure() }, waiting(0));
  await new Promise((resolve) => setTimeout(resolve, 20));
  expect((await judgements.ask(MAIN, judge, waiting(0))).judgement).toBe(null);
  expect(calls).toHaveLength(1);
  await judgements.close();
  await expect(judgements.ask(MAIN, failing, waiting(60))).rejects.toThrow('failed');
});

function delayedFailure(): Promise<Judgement> {
  return new Promise((_, reject) => setTimeout(() => reject(new Error('failed')), 10));
}
