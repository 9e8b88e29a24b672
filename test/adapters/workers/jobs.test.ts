// What every runner of jobs does, and what threads do beyond it: end a job that hangs, crashes or hoards, and go on.

import { join } from 'node:path';
import { afterEach, describe, expect, test, vi } from 'vitest';
import { createInProcessJobs } from '../../../server/src/adapters/workers/inProcessJobs.ts';
import { createWorkerJobs, type WorkerJobsOptions } from '../../../server/src/adapters/workers/workerJobs.ts';
import { trickyTable } from './entries/trickyTable.ts';
import type { Jobs } from '../../../server/src/core/jobs.ts';

const entry = join(import.meta.dirname, 'entries', 'trickyWorker.ts');
const open: Jobs[] = [];
afterEach(async () => {
  await Promise.all(open.splice(0).map((jobs) => jobs.close()));
});

function threads(options: Partial<WorkerJobsOptions> = {}): Jobs {
  const jobs = createWorkerJobs({ entry, threads: 1, ...options });
  open.push(jobs);
  return jobs;
}

function inProcess(): Jobs {
  const jobs = createInProcessJobs(trickyTable);
  open.push(jobs);
  return jobs;
}

const never = new AbortController().signal;
async function run(jobs: Jobs, text: string, signal = never): Promise<string[]> {
  const problems = await jobs.run('syntax', { path: 'a.ts', text, earlier: null }, signal);
  return (problems ?? []).map(({ message }) => message);
}

describe.each([
  ['threads', threads],
  ['in process', inProcess],
] as const)('%s', (_name, create) => {
  test('answers', async () => {
    expect(await run(create(), 'plain')).toEqual(['a.ts', expect.any(String)]);
  });

  test('what a job throws comes back as an error with its reason', async () => {
    const jobs = create();
    await expect(run(jobs, 'typed')).rejects.toMatchObject({
      name: 'SelfwareError',
      reason: 'forbidden',
      message: 'Not allowed.',
      action: 'Ask.',
    });
    await expect(run(jobs, 'throw')).rejects.toMatchObject({
      name: 'SelfwareError',
      reason: 'internal',
      message: 'thrown by the job',
    });
    expect(await run(jobs, 'plain')).toHaveLength(2);
  });

  test('an unknown job is an error, not a wait', async () => {
    await expect(create().run('applyRecipe', { rootDir: '/', opportunity: {} as never }, never)).rejects.toMatchObject({
      reason: 'internal',
    });
  });

  test('a cancelled signal is refused, and so is everything after close', async () => {
    const jobs = create();
    await expect(run(jobs, 'plain', AbortSignal.abort())).rejects.toMatchObject({ reason: 'cancelled' });
    await jobs.close();
    await expect(run(jobs, 'plain')).rejects.toMatchObject({ reason: 'cancelled' });
  });
});

test.each(['hang', 'wait'])(
  'a job that does not end (%s) is ended after its time, and the next one runs',
  async (text) => {
    const jobs = threads({ timeouts: { syntax: 400 } });
    await expect(run(jobs, text)).rejects.toMatchObject({ reason: 'timedOut' });
    expect(await run(threads(), 'plain')).toHaveLength(2);
    // The limit above is for the hanging job; a new thread takes longer than that to start.
    await expect(run(jobs, text)).rejects.toMatchObject({ reason: 'timedOut' });
  },
);

test('idle threads are given back when nothing is expected, and the next job has a new one', async () => {
  const jobs = threads();
  // The thread counts its jobs.
  expect(await run(jobs, 'plain')).toEqual(['a.ts', '1']);
  expect(await run(jobs, 'plain')).toEqual(['a.ts', '2']);
  jobs.release();
  expect(await run(jobs, 'plain')).toEqual(['a.ts', '1']);
});

test('a thread that works is not given back', async () => {
  const jobs = threads();
  const asked = run(jobs, 'plain');
  jobs.release();
  expect(await asked).toEqual(['a.ts', '1']);
});

test('cancelling ends a hanging job at once', async () => {
  const jobs = threads();
  const controller = new AbortController();
  const hanging = run(jobs, 'hang', controller.signal);
  controller.abort();
  await expect(hanging).rejects.toMatchObject({ reason: 'cancelled' });
  expect(await run(jobs, 'plain')).toHaveLength(2);
});

test('cancelling a waiting job leaves the running one alone', async () => {
  const jobs = threads();
  const first = run(jobs, 'plain');
  const controller = new AbortController();
  const second = run(jobs, 'plain', controller.signal);
  controller.abort();
  await expect(second).rejects.toMatchObject({ reason: 'cancelled' });
  expect(await first).toHaveLength(2);
});

test.each([
  ['exit', /code 7/],
  ['throw', /thrown/],
  ['memory', /memory/i],
])('a crash by %s takes nothing else along', async (text, message) => {
  const jobs = threads({ heapMb: 64 });
  const [crash, other] = await Promise.allSettled([run(jobs, text), run(jobs, 'plain')]);
  expect(crash).toMatchObject({
    status: 'rejected',
    reason: { reason: 'internal', message: expect.stringMatching(message) },
  });
  expect(other).toMatchObject({ status: 'fulfilled' });
});

test('an error after the answer ends the thread, not the process', async () => {
  const jobs = threads();
  expect(await run(jobs, 'late')).toEqual(['answered']);
  let lost = 0;
  // A new thread counts its jobs from one.
  await vi.waitFor(async () => expect(await run(jobs, 'plain').catch(() => lost++)).toEqual(['a.ts', '1']), 120_000);
  // What the dying thread had begun is lost with it, and nothing else.
  expect(lost).toBeLessThanOrEqual(1);
});

test('jobs run side by side on several threads and wait beyond that', async () => {
  const jobs = threads({ threads: 2 });
  const controller = new AbortController();
  const hanging = run(jobs, 'hang', controller.signal);
  const answers = await Promise.all(Array.from({ length: 8 }, () => run(jobs, 'plain')));
  // One thread counts to eight, as the other one hangs.
  expect(answers.map(([, calls]) => calls)).toEqual(['1', '2', '3', '4', '5', '6', '7', '8']);
  controller.abort();
  await expect(hanging).rejects.toMatchObject({ reason: 'cancelled' });
});

test('closing cancels what runs and what waits', async () => {
  const jobs = threads();
  const all = [run(jobs, 'hang'), run(jobs, 'plain')].map((job) =>
    expect(job).rejects.toMatchObject({ reason: 'cancelled' }),
  );
  await jobs.close();
  await Promise.all(all);
});

test('what a job prints does not reach standard output', async () => {
  const out = vi.spyOn(process.stdout, 'write');
  await run(threads(), 'print');
  expect(out.mock.calls.filter(([text]) => String(text).includes('must not reach'))).toEqual([]);
  out.mockRestore();
});
