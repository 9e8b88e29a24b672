// What the report says of a run whose process has died, of wishes that waited, and of a wish whose change fell off.

import { expect, test } from 'vitest';
import type { NightEvent } from '../../../server/src/core/model/nights.ts';
import { markInterrupted } from '../../../server/src/core/run/nightQueries.ts';
import { nightHeadline, renderNightReport } from '../../../server/src/core/run/report/nightReport.ts';
import { foldNights } from '../../../server/src/core/run/nights.ts';

const [night, run] = ['selfware/night-2026-11-25', 'run-1'];
const plan = { until: 28_800_000, maxChanges: 3, proposer: 'm', places: null };
const started: NightEvent = { type: 'nightStarted', data: { night, run, base: 'a'.repeat(40), plan } };
const ended: NightEvent = { type: 'nightEnded', data: { night, run, reason: 'Its time is up.', passedOver: {} } };
const nightAfter = (...events: readonly NightEvent[]) => foldNights(events.map((event, at) => ({ ...event, at })))[0]!;
type WishData = Extract<NightEvent, { readonly type: 'nightWish' }>['data'];
const wish = (parts: Partial<WishData>): NightEvent => ({
  type: 'nightWish',
  data: { night, run, wish: 'w', text: 'Round up.', outcome: 'deferred', proposal: null, reason: 'Down.', ...parts },
});

test('a run without a process is interrupted, whatever its last event was, and nobody is told to stop it', () => {
  const waiting: NightEvent = { type: 'nightWaiting', data: { night, run, until: 9, reason: 'Nothing is left.' } };
  const found = nightAfter(started, waiting);
  const [dead, alive] = [markInterrupted([found], false)[0]!, markInterrupted([found], true)[0]!];
  expect(alive).toEqual(found);
  expect(nightHeadline(dead)).toMatch(/: no change, interrupted at .*; `selfware night` continues it$/);
  expect(renderNightReport(dead)).not.toContain('It waits until');
  // Only the newest night can have a process.
  expect(markInterrupted([found, nightAfter(started, ended)], true)[0]!.isInterrupted).toBe(true);
  expect(markInterrupted([nightAfter(started, ended)], false)[0]!.isInterrupted).toBeUndefined();
});

test('the headline of an interrupted run that waits for a person says first what is needed', () => {
  const paused: NightEvent = { type: 'nightPaused', data: { night, run, kind: 'gain', reason: 'It gains too much.' } };
  const dead = markInterrupted([nightAfter(started, paused)], false)[0]!;
  expect(nightHeadline(dead)).toMatch(
    /interrupted at .*; it needs you: `selfware night continue`, then `selfware night` continues it$/,
  );
  const answered: NightEvent = { type: 'nightAnswered', data: { night, run, by: 'person' } };
  const passed = markInterrupted([nightAfter(started, paused, answered)], false)[0]!;
  expect(nightHeadline(passed)).toMatch(/interrupted at [\d: -]+; `selfware night` continues it$/);
});

test('a turn or a wish ends the wait after an error', () => {
  const waiting: NightEvent = { type: 'nightWaiting', data: { night, run, until: 9, reason: 'It met an error.' } };
  expect(nightAfter(started, waiting).state).toBe('waiting');
  const turn: NightEvent = { type: 'nightTurn', data: { night, run, stages: [] } };
  for (const event of [turn, wish({ outcome: 'notDone' })])
    expect(nightAfter(started, waiting, event)).toMatchObject({ state: 'running', waiting: null });
});

test('nobody is told to continue a night that is decided, or that is not the newest', () => {
  const decided: NightEvent = { type: 'nightDecided', data: { night, verdict: 'accepted', changes: null } };
  const over = markInterrupted([nightAfter(started, decided)], false)[0]!;
  expect(nightHeadline(over)).toMatch(/: no change \(accepted\)$/);
  const older = markInterrupted([nightAfter(started), nightAfter(started, ended)], false)[0]!;
  expect(nightHeadline(older)).toMatch(/: no change, interrupted at [\d: -]+$/);
});

test('a wish for which nobody could be asked waits, and the report says so also once it is done', () => {
  const waiting = nightAfter(started, wish({ retryAt: 60_000 }), wish({ retryAt: 90_000 }));
  expect(renderNightReport(waiting)).toMatch(/waits, because nobody could be asked\. Next try: .*Down\./);
  expect(renderNightReport(nightAfter(started, wish({ retryAt: null }), ended))).toContain(
    'The next run tries it again. Down.',
  );
  const done = wish({ outcome: 'committed', proposal: 'p', reason: null });
  const found = nightAfter(started, wish({ retryAt: 60_000 }), wish({ retryAt: 90_000 }), done);
  expect(renderNightReport(found)).toContain('done. It has waited, because nobody could be asked 2 times. Down.');
});

test('a wish is no longer done if its change falls off the branch, unless a person took it out', () => {
  const done = wish({ outcome: 'committed', proposal: 'p', reason: null });
  const moved = (lost: boolean): NightEvent => ({
    type: 'nightMoved',
    data: {
      night,
      base: 'b',
      commits: [],
      left: [
        { proposal: 'p', reason: 'The same lines were changed.', ...(lost ? { lost: true, commit: 'c0ffee' } : {}) },
      ],
    },
  });
  expect(nightAfter(started, done, moved(false)).wishes).toMatchObject([{ done: true }]);
  const found = nightAfter(started, done, moved(true));
  expect(found.wishes).toMatchObject([{ done: false }]);
  const report = renderNightReport(found);
  expect(report).toContain('not done. Its change is no longer on the branch. The same lines were changed.');
  expect(report).toContain('git cherry-pick c0ffee');
  const kept = ['1'.repeat(40), '2'.repeat(40)].map((commit) => ({
    night: 'other',
    proposal: 'q',
    commit,
    title: 'T',
    ...{ reason: 'It was made meanwhile.', isUntried: true },
  }));
  const refused = { ...kept[0]!, commit: '3'.repeat(40), reason: 'Refused by tests: 1 fails.', isUntried: false };
  const shown = renderNightReport(found, new Map(), { kept: [...kept, refused] });
  expect(shown).toContain(`git cherry-pick ${'1'.repeat(12)} ${'2'.repeat(12)}\``);
  expect(shown).toContain('**T** of other: It was made meanwhile.');
  expect(shown).toContain(`**T** of other: Refused by tests: 1 fails. \`git show ${'3'.repeat(12)}\``);
  expect(renderNightReport(found, new Map(), { kept: [refused] })).not.toContain(`cherry-pick ${'3'.repeat(12)}`);
  expect(renderNightReport(found, new Map(), { kept, isForOthers: true })).not.toContain('1'.repeat(12));
});
