// What a person reads of a run that is in progress.

import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { readLive } from '../../../server/src/adapters/run/liveFile.ts';
import { startLiveWriter } from '../../../server/src/app/nights/open/liveWriter.ts';
import type { NightEvent } from '../../../server/src/core/model/nights.ts';
import {
  computeChangesPerHour,
  determineCurrentState,
  liveLines,
  movedSentence,
  waitSentence,
} from '../../../server/src/core/run/live.ts';
import type { LiveState } from '../../../server/src/core/run/liveState.ts';
import { healthLines, measureHealth } from '../../../server/src/core/run/health.ts';
import { createHealthReader } from '../../../server/src/core/session/ledger/healthReader.ts';
import { createMiss } from '../../../server/src/core/run/misses.ts';
import { foldNights } from '../../../server/src/core/run/nights.ts';

const MINUTE = 60_000;
const DAY = 86_400_000;
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
    '  Process    4 tries, 200 MB, 0.5 cores',
  ]);
});

test('what is slow in Selfware itself is named, if anything is', () => {
  const linesOf = (bottleneck: string | null) =>
    liveLines({ night, live, wishes: [], bottleneck }, 30 * MINUTE, clock).slice(-1);
  expect(linesOf('Slow, target 1')).toEqual(['  Bottleneck Slow, target 1; see `selfware performance`']);
  expect(linesOf(null)).toEqual(['  Process    4 tries, 200 MB, 0.5 cores']);
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

test('a run that was asked to end is draining until its step has ended; one before it may have been asked as well', () => {
  const asked = { type: 'nightAskedToEnd', at: 20 * MINUTE, data: { night: branch, run, by: 'person' } } as const;
  const draining = foldNights([...events.map((event) => ({ ...event, at: 0 })), asked])[0]!;
  const state = (now: LiveState | null, of = draining) => determineCurrentState(of, now);
  expect(state(live)).toBe('draining');
  expect(state(null)).toBe('draining');
  expect(state({ ...live, startedAt: 21 * MINUTE })).toBe('running');
  expect(liveLines({ night: draining, live, wishes: [] }, 30 * MINUTE, clock)[0]).toBe(
    `${branch}: ends after its current step, running since 0m, until 480m`,
  );
  const ended = {
    type: 'nightEnded',
    at: 40 * MINUTE,
    data: { night: branch, run, reason: '', passedOver: {} },
  } as const;
  expect(state(live, foldNights([...events.map((event) => ({ ...event, at: 0 })), asked, ended])[0])).toBe('stopped');
  expect(state({ ...live, isDraining: true }, night)).toBe('draining');
});

test('a run that works with less than it should have is degraded, and says why', () => {
  const degraded = { ...live, degraded: ['ollama:x is not asked now. Nobody answers.'] };
  expect(liveLines({ night, live: degraded, wishes: [] }, 30 * MINUTE, clock).slice(0, 3)).toEqual([
    `${branch}: degraded, running since 0m, until 480m`,
    '  Now        verifying 3/10: Tests (Add a test), for 60 s',
    '  Degraded   ollama:x is not asked now. Nobody answers.',
  ]);
});

/** A ledger of events in memory, which counts what was read from it. */
function createEvents(events: readonly { readonly type: string; readonly at: number; readonly data: unknown }[]) {
  const stored = events.map((event, index) => ({ ...event, sequence: index + 1 }));
  let read = 0;
  const query = async ({ types = [], after = 0 }: { readonly types?: readonly string[]; readonly after?: number }) => {
    const found = stored.filter(({ type, sequence }) => types.includes(type) && sequence > after);
    read += found.length;
    return found;
  };
  return {
    ledger: { query } as unknown as Parameters<ReturnType<typeof createHealthReader>>[0],
    add: (event: (typeof events)[number]) => stored.push({ ...event, sequence: stored.length + 1 }),
    readCount: () => read,
  };
}

test('failures are counted by kind, tokens by time, and the success of a day over all nights', async () => {
  const later = 26 * 60 * MINUTE;
  const since = later - 60 * MINUTE;
  const started = (of: string, night: string, at: number) => ({
    ...({ type: 'nightStarted', data: { night, run: of, base: 'a', plan } } as const),
    at,
  });
  const committed = (of: string, proposal: string, at: number) => ({
    ...({ type: 'nightCommitted', data: { night: branch, run: of, commit: 'd', change: { proposal } } } as const),
    at,
  });
  const missed = (proposal: string, what: string, gate?: string) => ({
    ...({ type: 'nightMissed', data: { night: branch, run, miss: { what, gate, proposal } } } as const),
    at: later,
  });
  const wish = (id: string, outcome: string, proposal: string | null) => ({
    ...({ type: 'nightWish', data: { night: branch, run, wish: id, text: id, outcome, proposal } } as const),
    at: later,
  });
  const ask = (id: string, answered: object, night = since, kind = 'request') => [
    {
      ...{ type: 'asked', at: since },
      data: { ask: id, night, run, task: { kind }, proposer: 'x', promptTokens: 1, budget: {} },
    },
    { type: 'answered', at: later, data: { reason: null, proposal: null, ask: id, task: { kind }, ...answered } },
  ];
  const usage = { input: 9, output: 600, cached: 0, estimated: false };
  const written = createEvents([
    started('run-0', 'selfware/night-0', -60 * MINUTE),
    committed('run-0', 'e0', -50 * MINUTE),
    started('run-1a', 'selfware/night-1', 0),
    committed('run-1a', 'e1', MINUTE),
    committed('run-1a', 'e2', later - 5 * 60 * MINUTE),
    started(run, branch, since),
    committed(run, 'p1', later),
    // A process that died right after the commit records it again, and its wish names it once more.
    committed(run, 'p1', later),
    wish('w1', 'committed', 'p1'),
    missed('p2', 'refused', 'tests'),
    missed('p3', 'refused', 'tests'),
    missed('p4', 'brokeDown'),
    // Verified again, it was refused: only the last outcome counts.
    missed('p4', 'refused', 'types'),
    missed('p5', 'brokeDown'),
    missed('p6', 'rolledBack', 'tests'),
    // What waits was not judged.
    missed('p7', 'refused', 'tests'),
    missed('p7', 'asks'),
    wish('w2', 'notDone', 'p8'),
    wish('w3', 'notDone', null),
    wish('w4', 'deferred', null),
    ...ask('1', { outcome: 'proposed', usage, millis: 20_000 }),
    ...ask('2', { outcome: 'failed', failure: 'timedOut', usage: null, millis: 5_000, outage: { until: null } }),
    ...ask('3', { outcome: 'failed', failure: 'unavailable', usage: null, millis: 5, outage: { until: null } }),
    // The usage of an answer that did not end is an estimate of the most that it can be.
    ...ask('4', { outcome: 'failed', failure: 'unavailable', usage, millis: 5 }),
    ...ask('5', { outcome: 'cancelled', usage, millis: 5 }),
    ...ask('6', { outcome: 'refused', usage, millis: 20_000 }),
    ...ask('7', { outcome: 'refused', usage: null, millis: 1, gate: 'syntax' }),
    ...ask('8', { outcome: 'refused', usage: null, millis: 1, duplicate: true }),
    ...ask('9', { outcome: 'refused', usage, millis: 1 }, since, 'canary'),
    // A question of another run.
    ...ask('10', { outcome: 'failed', usage, millis: 1 }, 7),
  ]);
  const watched = foldNights([{ ...events[0]!, at: since }])[0]!;
  const readHealth = createHealthReader();
  const read = async () => readHealth(written.ledger, watched.runs[0]!, later);
  const health = measureHealth(watched, await read(), later);
  expect(health).toEqual({
    failures: [
      { kind: 'refused by “Tests”', count: 2 },
      { kind: 'wish not done', count: 2 },
      { kind: 'could not be checked', count: 1 },
      { kind: 'proposer failed', count: 1 },
      { kind: 'proposer not reached', count: 1 },
      { kind: 'proposer timed out', count: 1 },
      { kind: 'refused by “Still parses”', count: 1 },
      { kind: 'refused by “Types”', count: 1 },
      { kind: 'rolled back by “Tests”', count: 1 },
      { kind: 'unusable answer', count: 1 },
    ],
    answers: { count: 2, outputTokens: 1_200, tokensPerSecond: 30 },
    // The change of the earlier night that is older than 24 hours does not count.
    day: { committed: 2, judged: 9 },
  });
  const progress = { ...live.progress!, answer: { tokens: 55, tokensPerSecond: 5.5 } };
  const lines = liveLines({ night: watched, live: { ...live, progress }, wishes: [], health }, later, clock);
  expect(lines).toContain('  Answers    1,200 tokens in 2 answers, 30 tokens/s; now about 55 tokens, 5.5 tokens/s');
  expect(lines).toContain('  24 hours   2 of 9 judged proposals and wishes committed');
  expect(lines.find((line) => line.startsWith('  Failed'))).toContain('2 refused by “Tests”, 2 wish not done, 1 could');

  // The next look reads only what is new.
  const before = written.readCount();
  written.add(committed(run, 'p9', later));
  expect(measureHealth(watched, await read(), later).day).toEqual({ committed: 3, judged: 10 });
  expect(written.readCount()).toBe(before + 1);

  // Nothing known: no line.
  const nothing = measureHealth(watched, [], later);
  expect(nothing).toEqual({ failures: [], answers: null, day: null });
  expect(healthLines(nothing, null)).toEqual([]);
});

test('the first look begins with the run that worked 24 hours ago', async () => {
  const starts = [-3 * DAY, -2 * DAY, -DAY / 2].map((at) => ({
    ...{ type: 'nightStarted', at, data: { night: branch, run, base: 'a', plan } },
  }));
  const misses = [-3 * DAY, -2 * DAY, -DAY / 2].map((at, index) => ({
    ...{ type: 'nightMissed', at, data: { night: branch, run, miss: { what: 'refused', proposal: `${index}` } } },
  }));
  const { ledger, readCount } = createEvents(starts.flatMap((start, index) => [start, misses[index]!]));
  await createHealthReader()(ledger, { ...night.runs[0]!, startedAt: -DAY / 2 }, 0);
  expect(readCount()).toBe(starts.length + 2);
});

test('a miss names the gate that failed, and none if nothing was refused', () => {
  const verdicts = [
    { gate: 'applies', outcome: 'passed', reason: 'It applies.' },
    { gate: 'types', outcome: 'failed', reason: 'a.ts:1: a string is no number\nand more' },
    { gate: 'tests', outcome: 'failed', reason: '2 of 3 tests fail.' },
  ];
  const proposal = { id: 'p', opportunity: { rule: 'r', path: 'a.ts' }, verdicts, author: 'recipe' } as never;
  expect(createMiss('refused', proposal, 'No.')).toMatchObject({ what: 'refused', gate: 'types' });
  expect(createMiss('asks', proposal, 'No.')).not.toHaveProperty('gate');
  const next = (kind: 'refused' | 'rolledBack' | 'asks', isWish = false) =>
    createMiss(kind, proposal, 'No.', isWish).next;
  expect(next('refused')).toBe(
    '“Types” failed: a.ts:1: a string is no number. The same edits are not tried again. After five such changes in a row, the rule rests.',
  );
  expect(next('refused', true)).toMatch(/^“Types” failed: .* The next question about the wish says so\./);
  expect(next('rolledBack', true)).toMatch(/ The wish waits for another run, whose question says so\.$/);
  expect(next('asks')).toBe('It waits for your decision, and is not tried again.');
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
  expect(computeChangesPerHour(night, MINUTE / 2)).toBeNull();
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
  const answer = { tokens: 70, tokensPerSecond: 7.5 };
  writer.progress({ stage: 'realising', done: 0, total: null, message: 'Asking x', answer });
  await expect.poll(() => readLive(folder)).toMatchObject({ progress: { answer } });
  writer.event({ type: 'waiting', until: 1, reason: 'Nothing is left.' });
  await expect.poll(() => readLive(folder)).toMatchObject({ trying: null, progress: null });
  const degraded = { type: 'degraded', cause: 'means', reasons: ['Why.'], until: null } as const;
  writer.event(degraded);
  writer.event({ ...degraded, cause: 'error', reasons: ['Gone.'], until: 1 });
  await expect.poll(() => readLive(folder)).toMatchObject({ degraded: ['Why.'] });
  writer.event({ ...degraded, reasons: [] });
  expect(writer.state()).not.toHaveProperty('degraded');
  await writer.end();
  expect(await readLive(folder)).toBeNull();
  await writeFile(join(folder, 'now.json'), '{"pid": "me"}');
  expect(await readLive(folder)).toBeNull();
  await rm(folder, { recursive: true });
});
