// What a person reads of a run that is in progress.

import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { readLive } from '../../../server/src/adapters/run/liveFile.ts';
import { startLiveWriter } from '../../../server/src/app/nights/open/liveWriter.ts';
import type { NightEvent } from '../../../server/src/core/model/nights.ts';
import { changesPerHour, liveLines, movedSentence, waitSentence } from '../../../server/src/core/run/live.ts';
import type { LiveState } from '../../../server/src/core/run/liveState.ts';
import { healthLines, measureHealth, type AskRecord } from '../../../server/src/core/run/health.ts';
import { createMiss } from '../../../server/src/core/run/misses.ts';
import { foldNights } from '../../../server/src/core/run/nights.ts';

const MINUTE = 60_000;
const [branch, run] = ['selfware/night-2026-11-25', 'run-1'];
const plan = { until: 480 * MINUTE, maxChanges: 3, proposer: 'ollama:x', places: null };
const events: readonly NightEvent[] = [
  { type: 'nightStarted', data: { night: branch, run, base: 'a', plan } },
  { type: 'nightCommitted', data: { night: branch, run, commit: 'c', change: { proposal: 'p', title: 'A' } as never } },
  { type: 'nightMissed', data: { night: branch, run, miss: { what: 'refused' } as never } },
  { type: 'nightMissed', data: { night: branch, run, miss: { what: 'asks' } as never } },
];
const night = foldNights(events.map((event) => ({ ...event, at: 0 })))[0]!;
const live: LiveState = {
  pid: 1,
  startedAt: 0,
  at: 30 * MINUTE,
  progress: { stage: 'verifying', done: 3, total: 10, message: 'Tests' },
  stageSince: 29 * MINUTE,
  trying: 'Add a test',
  tries: 4,
  rssMb: 200,
  cpuSeconds: 900,
};
const clock = (at: number) => `${at / MINUTE}m`;

test('the step, the count, the pace, the misses, the wishes and the process are named', () => {
  expect(liveLines({ night, live, wishes: ['Do it'] }, 30 * MINUTE, clock)).toEqual([
    `${branch}: running since 0m, until 480m`,
    '  Now        verifying 3/10: Tests (Add a test), for 60 s',
    '  Changes    1 of at most 3, 2.0 an hour; newest: A',
    '  Not taken  1 refused by a check, 1 waits for you',
    '  Asks       ollama:x',
    '  Wishes     1: Do it',
    '  Process    4 tries, 200 MB, 50 % of a core',
  ]);
});

test('the stage in which changes are made is called proposing', () => {
  const progress = { stage: 'realising', done: 0, total: null, message: 'unused-import in a.ts' } as const;
  const [, now] = liveLines({ night, live: { ...live, progress, trying: null }, wishes: [] }, 30 * MINUTE, clock);
  expect(now).toBe('  Now        proposing: unused-import in a.ts, for 60 s');
});

test('a run waits until it reports a step again', () => {
  const waiting = {
    type: 'nightWaiting',
    data: { night: branch, run, until: 60 * MINUTE, reason: 'Nothing is left.' },
  } as const;
  const waits = foldNights([...events, waiting].map((event) => ({ ...event, at: 0 })))[0]!;
  const lines = (now: LiveState) => liveLines({ night: waits, live: now, wishes: [] }, 30 * MINUTE, clock).slice(0, 2);
  expect(lines({ ...live, progress: null })).toEqual([
    `${branch}: waits, running since 0m, until 480m`,
    '  Now        Nothing is left. It looks again at 60m.',
  ]);
  expect(waitSentence({ until: null, reason: 'Waiting for power.' }, clock)).toBe('Waiting for power.');
  expect(lines(live)).toEqual([
    `${branch}: running since 0m, until 480m`,
    '  Now        verifying 3/10: Tests (Add a test), for 60 s',
  ]);
});

test('failures are counted by kind, tokens by time, and the success of a day over all nights', () => {
  const miss = (what: string, gate?: string, at = 100 * MINUTE) => ({
    ...({ type: 'nightMissed', data: { night: branch, run, miss: { what, gate } as never } } as const),
    at,
  });
  const earlier = {
    ...({ type: 'nightStarted', data: { night: 'selfware/night-1', run: 'run-0', base: 'a', plan } } as const),
    at: 0,
  };
  const ofEarlier = (at: number) => ({
    ...({
      type: 'nightCommitted',
      data: { night: 'selfware/night-1', run: 'run-0', commit: 'd', change: { proposal: `e${at}` } as never },
    } as const),
    at,
  });
  const later = 26 * 60 * MINUTE;
  const watched = foldNights([
    earlier,
    ofEarlier(MINUTE),
    ofEarlier(later - 5 * 60 * MINUTE),
    { ...events[0]!, at: later - 60 * MINUTE },
    { ...events[1]!, at: later - 50 * MINUTE },
    miss('refused', 'tests', later - 40 * MINUTE),
    miss('refused', 'tests', later - 30 * MINUTE),
    miss('refused', 'types', later - 20 * MINUTE),
    miss('brokeDown', undefined, later - 10 * MINUTE),
    miss('asks', undefined, later),
  ]).at(-1)!;
  const since = later - 60 * MINUTE;
  const ask = (id: string, answered: object, night = since): readonly AskRecord[] => [
    { at: since, asked: { ask: id, night } as never },
    { at: later, answered: { ask: id, ...answered } as never },
  ];
  const usage = { input: 9, output: 600, cached: 0, estimated: false };
  const asks = [
    ...ask('1', { outcome: 'proposed', usage, millis: 20_000 }),
    ...ask('2', { outcome: 'failed', failure: 'timedOut', usage: null, millis: 5_000, outage: { until: null } }),
    ...ask('3', { outcome: 'failed', failure: 'unavailable', usage: null, millis: 5, outage: { until: null } }),
    ...ask('4', { outcome: 'failed', failure: 'unavailable', usage: null, millis: 5 }),
    ...ask('5', { outcome: 'refused', usage, millis: 20_000 }),
    // A question of another run.
    ...ask('6', { outcome: 'failed', usage, millis: 1 }, 7),
  ];
  const health = measureHealth(watched, asks, later);
  expect(health).toEqual({
    failures: [
      { kind: 'refused by tests', count: 2 },
      { kind: 'could not be checked', count: 1 },
      { kind: 'proposer failed', count: 1 },
      { kind: 'proposer not reached', count: 1 },
      { kind: 'proposer timed out', count: 1 },
      { kind: 'refused by types', count: 1 },
      { kind: 'unusable answer', count: 1 },
    ],
    answers: { count: 2, outputTokens: 1_200, tokensPerSecond: 30 },
    // The change of the earlier night that is older than 24 hours does not count.
    day: { committed: 2, judged: 6 },
  });
  const answering = { ...live, answering: { since: later - 10_000, tokens: 55 } };
  const lines = liveLines({ night: watched, live: answering, wishes: [], health }, later, clock);
  expect(lines).toContain('  Answers    1,200 tokens in 2 answers, 30 tokens/s; now about 55 tokens, 5.5 tokens/s');
  expect(lines).toContain('  24 hours   2 of 6 judged proposals committed');
  expect(lines.find((line) => line.startsWith('  Failed'))).toContain('2 refused by tests, 1 could not be checked');
  // Nothing known: no line.
  const nothing = measureHealth({ ...watched, outcomes: [] }, [], later);
  expect(nothing).toEqual({ failures: [], answers: null, day: null });
  expect(healthLines(nothing, null, later)).toEqual([]);
});

test('a miss names the gate that failed, and none if nothing was refused', () => {
  const verdicts = [
    { gate: 'applies', outcome: 'passed' },
    { gate: 'types', outcome: 'failed' },
    { gate: 'tests', outcome: 'failed' },
  ];
  const proposal = { id: 'p', opportunity: { rule: 'r', path: 'a.ts' }, verdicts, author: 'recipe' } as never;
  expect(createMiss('refused', proposal, 'No.')).toMatchObject({ what: 'refused', gate: 'types' });
  expect(createMiss('asks', proposal, 'No.')).not.toHaveProperty('gate');
});

test('a move says whether the branch follows a commit or loses held changes', () => {
  expect(movedSentence({ kept: 2, left: 0, parked: 0 })).toBe('Your branch has moved. 2 changes kept.');
  expect(movedSentence({ kept: 0, left: 1, parked: 0 })).toBe(
    'Your branch has moved. 0 changes kept. 1 change left out.',
  );
  expect(movedSentence({ kept: 1, left: 0, parked: 1 })).toBe(
    '1 held change was taken off the branch and waits for you. 1 change kept.',
  );
  expect(movedSentence({ kept: 0, left: 2, parked: 3 })).toBe(
    '3 held changes were taken off the branch and wait for you. 0 changes kept. 2 changes left out.',
  );
});

test('a proposer that is not trusted any more is named', () => {
  const solved = { run, proposer: 'ollama:x', test: 't', path: 'p', solved: true, reason: null };
  const lines = (data: typeof solved) => {
    const canary = { type: 'nightCanary', data: { night: branch, ...data } } as const;
    return liveLines(
      { night: foldNights([...events, canary].map((event) => ({ ...event, at: 0 })))[0]!, live, wishes: [] },
      MINUTE,
      clock,
    ).join('\n');
  };
  expect(lines(solved)).toMatch(/Held {7}ollama:x has “solved” a task that cannot be solved/);
  expect(lines({ ...solved, solved: false })).not.toContain('Held');
});

test('what is not known is left out: no pace in the first minute, no process before it has written', () => {
  expect(changesPerHour(night, MINUTE / 2)).toBeNull();
  const lines = liveLines({ night, live: null, wishes: [] }, MINUTE / 2, clock);
  expect(lines).toContain('  Now        Starting');
  expect(lines.join('\n')).not.toMatch(/an hour|Process|Wishes/);
});

test('a run writes itself down, and removes the file at its end; a damaged file counts as none', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'selfware-live-'));
  const writer = startLiveWriter(folder);
  writer.event({ type: 'trying', title: 'Add a test' });
  writer.progress({ stage: 'verifying', done: 0, total: 2, message: 'Tests' });
  await expect.poll(() => readLive(folder)).toMatchObject({ pid: process.pid, trying: 'Add a test', tries: 1 });
  const asking = (answerTokens: number) =>
    writer.progress({ stage: 'realising', done: 0, total: null, message: 'Asking x', answerTokens });
  asking(0);
  asking(40);
  asking(70);
  await expect.poll(() => readLive(folder)).toMatchObject({ answering: { tokens: 70 } });
  // The next question begins another answer.
  asking(0);
  await expect.poll(async () => (await readLive(folder))?.answering).toBeUndefined();
  writer.event({ type: 'waiting', until: 1, reason: 'Nothing is left.' });
  await expect.poll(() => readLive(folder)).toMatchObject({ trying: null, progress: null });
  await writer.end();
  expect(await readLive(folder)).toBeNull();
  await writeFile(join(folder, 'now.json'), '{"pid": "me"}');
  expect(await readLive(folder)).toBeNull();
  await rm(folder, { recursive: true });
});
