// The limits of an answer that arrives in pieces, on a clock that the test turns.

import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { watchAnswer, type AnswerWatch } from '../../../server/src/adapters/models/answerLimits.ts';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

/** Whose answer it is, and how many minutes pass between its first piece and its end. */
interface Answer {
  readonly isLocal?: boolean;
  readonly pause?: number;
  /** Seconds that it may take to begin. */
  readonly beginSeconds?: number;
}

/** How an answer ends whose first piece takes three minutes. */
async function endOf(begin: (watch: AnswerWatch) => void, seconds = 600, answer: Answer = {}): Promise<string> {
  const end = await settle(begin, seconds, answer);
  return end instanceof Error ? end.message : end;
}

/** The text of that answer, or its error. */
async function settle(
  begin: (watch: AnswerWatch) => void,
  seconds = 600,
  { isLocal = false, pause = 1, beginSeconds = 120 }: Answer = {},
): Promise<string | Error> {
  const never = new AbortController().signal;
  const deadline = Date.now() + seconds * 1000;
  const work = watchAnswer(
    { name: 'm', isLocal },
    { messages: [], maxTokens: 100, deadline, beginSeconds },
    never,
    () => undefined,
    async (watch) => {
      begin(watch);
      const ended = new Promise<never>((_, reject) =>
        watch.signal.addEventListener('abort', () => reject(new Error())),
      );
      const minutes = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms * 60_000));
      await Promise.race([minutes(3), ended]);
      watch.onPiece('a');
      await Promise.race([minutes(pause), ended]);
      const text = `after ${Date.now() - deadline + seconds * 1000} ms`;
      return { text, finished: true, model: null, usage: null };
    },
  );
  const end = work.then(
    ({ text }) => text,
    (error: Error) => error,
  );
  await vi.advanceTimersByTimeAsync((3 + pause) * 60_000);
  return end;
}

test('an answer that does not begin is ended, except where silence is expected; a deadline ends it then, too', async () => {
  expect(await endOf(() => undefined)).toBe('m has not begun to answer for 120 s.');
  expect(await endOf((watch) => watch.expectSilence())).toBe('after 240000 ms');
  const pausedBriefly = endOf((watch) => {
    watch.expectSilence();
    watch.expectAnswer();
  });
  expect(await pausedBriefly).toBe('m has not begun to answer for 120 s.');
  expect(await endOf((watch) => watch.expectSilence(), 60)).toBe('m did not answer in time.');
});

test('a question that was answered with silence may be asked again, and may have been charged', async () => {
  expect(await settle(() => undefined)).toMatchObject({ retry: { afterMs: null, isCharged: true } });
});

test('a model on this machine may take until the deadline to begin, and is then limited like any other', async () => {
  const begin = (watch: AnswerWatch) => {
    // A pause before another try, and an empty piece, are no beginning.
    watch.expectSilence();
    watch.expectAnswer();
    watch.onPiece('');
  };
  expect(await endOf(begin, 600, { isLocal: true })).toBe('after 240000 ms');
  expect(await endOf(begin, 170, { isLocal: true })).toBe('m did not answer in time.');
  expect(await endOf(begin, 600, { isLocal: true, pause: 3 })).toBe('m has been silent for 120 s.');
});

test('a model elsewhere may think before its first piece, and is silent for two minutes at most after it', async () => {
  expect(await endOf(() => undefined, 600, { beginSeconds: 181 })).toBe('after 240000 ms');
  expect(await endOf(() => undefined, 600, { beginSeconds: 181, pause: 3 })).toBe('m has been silent for 120 s.');
  // A thought is a beginning.
  expect(await endOf((watch) => watch.onHiddenPiece('so'))).toBe('m has been silent for 120 s.');
});

test('empty pieces neither begin an answer nor prolong a silence', async () => {
  const repeat = (watch: AnswerWatch) => {
    const timer = setInterval(() => {
      watch.onPiece('');
      watch.onHiddenPiece('');
    }, 30_000);
    watch.signal.addEventListener('abort', () => clearInterval(timer));
  };
  expect(await endOf(repeat)).toBe('m has not begun to answer for 120 s.');
  expect(await endOf(repeat, 600, { beginSeconds: 181, pause: 3 })).toBe('m has been silent for 120 s.');
});

test('without a limit in the request, an answer may take more than five minutes to begin', async () => {
  const never = new AbortController().signal;
  const begun = watchAnswer(
    { name: 'm', isLocal: false },
    { messages: [], maxTokens: 100, deadline: Date.now() + 600_000 },
    never,
    () => undefined,
    async (watch) => {
      await new Promise((resolve) => setTimeout(resolve, 330_000));
      watch.onPiece('a');
      return { text: 'a', finished: !watch.signal.aborted, model: null, usage: null };
    },
  );
  await vi.advanceTimersByTimeAsync(331_000);
  expect(await begun).toMatchObject({ finished: true });
});

test('the advice after a silence names the setting that changes it, if there is one', async () => {
  const unbegun = await settle(() => undefined);
  expect(unbegun).toMatchObject({ reason: 'timedOut', action: expect.stringContaining('models.beginSeconds') });
  const silent = await settle(() => undefined, 600, { beginSeconds: 181, pause: 3 });
  expect(silent).toMatchObject({ reason: 'timedOut', action: expect.not.stringMatching(/answerSeconds|beginSeconds/) });
  const late = await settle(() => undefined, 60);
  expect(late).toMatchObject({ reason: 'timedOut', action: expect.stringContaining('answerSeconds') });
});
