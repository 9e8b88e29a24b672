// The one judgement that agents may have running: joined by an equal request, refused for another, ended by its caller.

import { expect, test } from 'vitest';
import type { Judgement } from '../../../server/src/core/model/judgement.ts';
import { createJudgements, type JudgeChange } from '../../../server/src/tools/judgements.ts';

const MAIN = { base: 'main', head: null, seconds: null };
const JUDGEMENT = { base: 'main' } as unknown as Judgement;
const waiting = (seconds: number, signal = new AbortController().signal) => ({ seconds, signal });

function createJudge() {
  const calls: { readonly signal: AbortSignal; finish(): void }[] = [];
  const judge: JudgeChange = (_, { signal, report }) =>
    new Promise((resolve, reject) => {
      signal.addEventListener('abort', () => reject(new Error('ended')), { once: true });
      report?.({ stage: 'verifying', done: 1, total: 2, message: 'Tests' });
      calls.push({ signal, finish: () => resolve(JUDGEMENT) });
    });
  return { calls, judge };
}

test('an equal request waits for the judgement that runs; the next one after the answer begins again', async () => {
  const { calls, judge } = createJudge();
  const judgements = createJudgements();
  expect((await judgements.ask(MAIN, judge, waiting(0))).judgement).toBe(null);
  const joined = judgements.ask({ ...MAIN, seconds: 5 }, judge, waiting(60));
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
  caller.abort();
  await expect(asked).rejects.toMatchObject({ reason: 'cancelled' });
  expect(calls[0]!.signal.aborted).toBe(true);
  expect((await judgements.ask(MAIN, judge, waiting(0))).judgement).toBe(null);
  expect(calls).toHaveLength(2);
  await judgements.close();
});
