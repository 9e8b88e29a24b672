// What a person reads of a run that is in progress.

import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { readLive } from '../../../server/src/adapters/run/liveFile.ts';
import { startLiveWriter } from '../../../server/src/app/nights/open/liveWriter.ts';
import type { NightEvent } from '../../../server/src/core/model/nights.ts';
import {
  changesPerHour,
  liveLines,
  movedSentence,
  waitSentence,
  type LiveState,
} from '../../../server/src/core/run/live.ts';
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
  writer.event({ type: 'waiting', until: 1, reason: 'Nothing is left.' });
  await expect.poll(() => readLive(folder)).toMatchObject({ trying: null, progress: null });
  await writer.end();
  expect(await readLive(folder)).toBeNull();
  await writeFile(join(folder, 'now.json'), '{"pid": "me"}');
  expect(await readLive(folder)).toBeNull();
  await rm(folder, { recursive: true });
});
