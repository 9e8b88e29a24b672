// Nights as folds of the ledger: changes, misses, runs, states; and the report that people read.

import { expect, test } from 'vitest';
import type { NightChange, NightEvent } from '../../../server/src/core/model/nights.ts';
import { findHeldChanges, findHeldChangesOnBranch } from '../../../server/src/core/run/heldChanges.ts';
import { foldNights } from '../../../server/src/core/run/nights.ts';
import {
  findProposalsForPerson,
  countChangesOfOrder,
  listNumberedChanges,
  findUnfinishedRun,
} from '../../../server/src/core/run/nightQueries.ts';
import type { Night } from '../../../server/src/core/run/nightTypes.ts';
import { shortenDiff } from '../../../server/src/core/run/report/changeDiff.ts';
import { nightHeadline, renderNightReport } from '../../../server/src/core/run/report/nightReport.ts';
import { liveLines } from '../../../server/src/core/run/live.ts';

const HOUR = 3_600_000;
const [night, run, base] = ['selfware/night-2026-11-25', 'run-1', 'a'.repeat(40)];
const plan = { until: 8 * HOUR, maxChanges: 3, proposer: null, places: null };
const change = (proposal: string, more: Partial<NightChange> = {}): NightChange => ({
  proposal,
  title: `Change ${proposal}`,
  rationale: '',
  rule: 'some-rule',
  recipe: 'some-recipe',
  author: 'recipe',
  strength: 'proven',
  claim: { kind: 'points', holds: true, evidence: '1 → 2 points.', price: null },
  points: { before: 1, after: 2 },
  paths: ['a.ts'],
  checks: [{ gate: 'tests', outcome: 'passed', reason: '3 tests passed.' }],
  cost: null,
  ...more,
});
const started: NightEvent = { type: 'nightStarted', data: { night, run, base, plan } };
const committed = (proposal: string, more: Partial<NightChange> = {}): NightEvent => ({
  type: 'nightCommitted',
  data: { night, run, commit: `${proposal}-commit`, change: change(proposal, more) },
});
const missed = (what: 'refused' | 'asks', title: string): NightEvent => ({
  type: 'nightMissed',
  data: { night, run, miss: { what, proposal: 'x', title, rule: 'r', path: 'b.ts', reason: 'Because.' } },
});
const ended: NightEvent = {
  type: 'nightEnded',
  data: { night, run, reason: 'Its time is up.', passedOver: { declined: 2 } },
};
const nightAfter = (...events: readonly NightEvent[]) =>
  foldNights(events.map((event, at) => ({ ...event, at: at * 60_000 })))[0]!;

test('a commit that is recorded twice, by a process that died and by the next one, is one change of one budget', () => {
  const found = nightAfter(
    started,
    committed('p'),
    { type: 'nightResumed', data: { night, run } },
    committed('p'),
    committed('q'),
  );
  expect(found.changes.map(({ proposal }) => proposal)).toEqual(['p', 'q']);
  expect(countChangesOfOrder([found], found.runs[0]!.since)).toBe(2);
  expect(found.runs).toMatchObject([{ resumed: 1, committed: 2, endedAt: null }]);
});

test('a run whose process died can be continued until its end; one that has ended cannot', () => {
  const found = nightAfter(started, committed('p'));
  expect(findUnfinishedRun(found, 7 * HOUR)?.id).toBe(run);
  expect(findUnfinishedRun(found, 8 * HOUR)).toBeNull();
  expect(findUnfinishedRun(nightAfter(started, ended), 7 * HOUR)).toBeNull();
});

test('an order that goes on elsewhere keeps its count, and another order has one of its own', () => {
  const other = 'selfware/night-2026-11-25-2';
  const events: readonly NightEvent[] = [
    started,
    committed('p'),
    { type: 'nightStarted', data: { night: other, run: 'run-2', base, plan, since: 0 } },
    { type: 'nightCommitted', data: { night: other, run: 'run-2', commit: 'c', change: change('q') } },
    { type: 'nightStarted', data: { night: other, run: 'run-3', base, plan } },
  ];
  const nights = foldNights(events.map((event, at) => ({ ...event, at: at * 60_000 })));
  expect(nights.map(({ runs }) => runs.map(({ since }) => since / 60_000))).toEqual([[0], [0, 4]]);
  expect(countChangesOfOrder(nights, 0)).toBe(2);
  expect(countChangesOfOrder(nights, 4 * 60_000)).toBe(0);
});

test('whoever continues a run may give it other limits', () => {
  const longer = { ...plan, until: 9 * HOUR, maxChanges: 5 };
  const resumed = (given: typeof plan | null): NightEvent => ({
    type: 'nightResumed',
    data: { night, run, plan: given },
  });
  expect(nightAfter(started, resumed(longer)).runs).toMatchObject([{ plan: longer, resumed: 1 }]);
  expect(nightAfter(started, resumed(longer), resumed(null)).runs).toMatchObject([{ plan: longer, resumed: 2 }]);
});

test('after the branch was moved, changes have new commits, and those that are left out keep their reason', () => {
  const found = nightAfter(started, committed('p'), committed('q'), {
    type: 'nightMoved',
    data: {
      night,
      base: 'b',
      commits: [{ proposal: 'q', commit: 'new' }],
      left: [{ proposal: 'p', reason: 'No longer fits.' }],
    },
  });
  expect(found).toMatchObject({
    base: 'b',
    changes: [{ proposal: 'q', commit: 'new' }],
    left: [{ title: 'Change p', reason: 'No longer fits.' }],
  });
});

test('a decision about some changes leaves the night open; one about all of them closes it', () => {
  const decided = (changes: readonly string[] | null): NightEvent => ({
    type: 'nightDecided',
    data: { night, verdict: 'accepted', changes },
  });
  expect(nightAfter(started, committed('p'), decided(['p'])).decided).toBeNull();
  expect(nightAfter(started, committed('p'), decided(null)).decided).toBe('accepted');
});

test('a change is on the branch, or off it: recorded again by mistake and taken off again, it is parked once', () => {
  const taken: NightEvent = {
    type: 'nightMoved',
    data: { night, base, commits: [], left: [{ proposal: 'p', reason: 'Held.', held: true }] },
  };
  const back = nightAfter(started, committed('p'), taken, committed('p'));
  expect(back).toMatchObject({ changes: [{ proposal: 'p' }], parked: [], gone: [] });
  const found = nightAfter(started, committed('p'), taken, committed('p'), taken);
  expect(found).toMatchObject({ changes: [], parked: [{ proposal: 'p' }], gone: ['p'] });
});

test('events of a night that was never started are ignored', () => {
  expect(foldNights([{ ...ended, at: 0 }])).toEqual([]);
});

test('a waiting run says until when; the next event ends the waiting', () => {
  const waiting: NightEvent = { type: 'nightWaiting', data: { night, run, until: HOUR, reason: 'Nothing is left.' } };
  expect(nightAfter(started, waiting)).toMatchObject({ state: 'waiting', waiting: { until: HOUR } });
  expect(nightAfter(started, waiting, committed('p'))).toMatchObject({ state: 'running', waiting: null });
  expect(nightAfter(started, waiting, ended)).toMatchObject({ state: 'stopped', waiting: null });
});

test('the report names each change with its gain and checks, what was refused, what waits, and what it cost', () => {
  const cost = {
    usage: { input: 1200, output: 80, cached: 0, estimated: false },
    attempts: 1,
    money: 0.5,
    models: ['m'],
  };
  const report = renderNightReport(
    nightAfter(
      started,
      committed('p'),
      committed('q', { claim: { kind: 'fix', holds: true, evidence: 'A test fails without it.', price: 0.5 }, cost }),
      missed('refused', 'A bad one'),
      missed('asks', 'A big one'),
      ended,
    ),
  );
  expect(report).toContain('# selfware/night-2026-11-25: 2 changes');
  expect(report).toContain('| 1 | Change p | +1 points | proven | `p-commit` |');
  expect(report).toContain('| 2 | Change q | Fixes a defect | proven | `q-commit` |');
  expect(report.indexOf('## What you can do')).toBeLessThan(report.indexOf('## 1. Change p'));
  expect(report).toContain('- Fixes a defect: A test fails without it.\n- Costs 0.5 points of code');
  expect(report).toContain('1 proposal did not pass, 1 waits for you.');
  expect(report).toContain('Models made 1 of them, for 1,200 tokens to ask and 80 to answer, 0.50 by your prices.');
  expect(report).toContain('## Refused by a check\n\n- **A bad one** (b.ts): Because.');
  expect(report).toMatch(
    /## Waits for you\n\n.*\n.*`selfware night accept 3`.*`selfware night drop 3`\.\n\n- 3\. \*\*A big one\*\* \(b\.ts\): Because\.\n/,
  );
  expect(report).toContain('2 declined by the recipe.');
});

test('a proposal that waits for a quieter machine is named, until it has another outcome', () => {
  const after = (what: 'deferred' | 'refused', proposal: string): NightEvent => ({
    type: 'nightMissed',
    data: {
      night,
      run,
      miss: { what, proposal, title: `Title ${proposal}`, rule: 'r', path: 'b.ts', reason: 'Busy.' },
    },
  });
  const found = nightAfter(started, after('deferred', 'x'), after('deferred', 'x'), after('deferred', 'y'), ended);
  const report = renderNightReport(found);
  expect(report).toContain('2 wait for a quieter machine.');
  expect(report).toContain('## Waits for a quieter machine\n\n- **Title x** (b.ts): Busy.\n- **Title y**');
  expect(report).not.toContain('did not pass');
  expect(renderNightReport({ ...found, settled: ['x'] })).toContain('1 waits for a quieter machine.');
  const linesOf = (one: Night) => liveLines({ night: one, live: null, wishes: [] }, 0, String).join('\n');
  expect(linesOf(found)).toContain('2 wait for a quieter machine');
  expect(linesOf({ ...found, settled: ['x'] })).toContain('1 waits for a quieter machine');
  const later = renderNightReport(
    nightAfter(started, after('deferred', 'x'), committed('x'), after('refused', 'y'), ended),
  );
  expect(later).not.toContain('quieter');
  expect(later).toContain('1 proposal did not pass.');
});

test('what only a person may take is listed once, with its diff and a number, until it is decided', () => {
  const asks = (proposal: string): NightEvent => ({
    type: 'nightMissed',
    data: {
      night,
      run,
      miss: { what: 'asks', proposal, title: `Big ${proposal}`, rule: 'r', path: 'b.ts', reason: 'R.' },
    },
  });
  const found = nightAfter(started, asks('x'), committed('p'), asks('y'), asks('x'), asks('p'), ended);
  expect(findProposalsForPerson(found).map(({ proposal }) => proposal)).toEqual(['x', 'y']);
  const diffs = new Map([['y', shortenDiff('--- a/b.ts\n+++ b/b.ts\n@@ -1 +1 @@\n+y\n')]]);
  const report = renderNightReport({ ...found, settled: ['x'] }, diffs);
  expect(report).toContain('1 waits for you.');
  expect(report).toContain('- 2. **Big x** (b.ts): R. You have decided about it.\n- 3. **Big y** (b.ts): R.\n');
  expect(report).toContain('`selfware night accept 3`');
  expect(report).toContain('### 3. Big y\n\n```diff\n--- a/b.ts');
  const dropped = { type: 'nightDecided', data: { night, verdict: 'dropped', changes: ['x'] } } as const;
  const after = nightAfter(started, asks('x'), committed('p'), asks('y'), ended, dropped);
  expect(findProposalsForPerson(after).map(({ proposal }) => proposal)).toEqual(['y']);
});

test('the report shows what a change does, without the headers of git; a long diff is cut and counted', () => {
  const night = nightAfter(started, committed('p'), ended);
  const [change] = night.changes;
  const header = 'diff --git a/b.ts b/b.ts\nindex 1234567..89abcde 100644\n--- a/b.ts\n+++ b/b.ts\n';
  const report = (added: number) =>
    renderNightReport(
      night,
      new Map([[change!.commit, shortenDiff(`${header}@@ -1 +1 @@\n${'+```\n'.repeat(added)}`)]]),
    );
  expect(report(1)).toContain('````diff\n--- a/b.ts\n+++ b/b.ts\n@@ -1 +1 @@\n+```\n````\n\n');
  expect(report(1)).not.toContain('index 1234567');
  expect(report(1)).not.toContain('more line');
  expect(report(40)).toContain('… and 3 more lines.');
  expect(renderNightReport(night)).not.toMatch(/@@|git show/);
  expect(renderNightReport(night, new Map([['other', shortenDiff('')]]))).toContain('- Its diff: `git show ');
});

test('a diff with a line without end is cut, too', () => {
  expect(shortenDiff(`@@ -0,0 +1 @@\n+${'x'.repeat(3_000_000)}\n`)).toEqual({
    text: `@@ -0,0 +1 @@\n+${'x'.repeat(199)}…`,
    omittedLines: 0,
  });
});

test('a run is as long as its newest event says, while it has no end; evidence is said once', () => {
  const evidence = 'A test fails without it.';
  const report = renderNightReport(
    nightAfter(
      started,
      missed('refused', 'x'),
      committed('p', {
        claim: { kind: 'fix', holds: true, evidence, price: null },
        checks: [{ gate: 'claim', outcome: 'passed', reason: evidence }],
      }),
    ),
  );
  expect(report).toContain('1 run of 2 min.');
  expect(report.split(evidence)).toHaveLength(2);
  expect(report).toMatch(/^- \d{4}-\d\d-\d\d \d\d:\d\d, not ended\. 1 change of at most 3, recipes alone\.$/m);
});

test('the report counts functions that lacked tests, and lists wrong examples and calls that break, each once', () => {
  const searched = (search: 'examples' | 'tests' | 'calls', ...found: string[]): NightEvent => ({
    type: 'nightSearched',
    data: { night, run, search, files: 3, undone: found.length - 1, found },
  });
  expect(renderNightReport(nightAfter(started))).not.toContain('## Searched');
  const waiting: NightEvent = { type: 'nightWaiting', data: { night, run, until: 9, reason: 'Later.' } };
  const found = nightAfter(
    started,
    waiting,
    searched('tests', 'a in b.ts', 'c in d.ts'),
    searched('tests', 'a in b.ts'),
    searched('calls', '`f([])` (a.ts): throws TypeError'),
    searched('examples', '`f(1)` (README.md:3) returns 3'),
    searched('calls', '`f([])` (a.ts): throws TypeError'),
  );
  expect(found.state).toBe('running');
  const report = renderNightReport(found);
  expect(report).toMatch(/^- Missing tests: 2 functions with mistakes that no test noticed: .+, .+\.$/m);
  const cut = renderNightReport(nightAfter(started, searched('tests', 'a in b.ts', 'c in d.ts')));
  expect(cut).toContain('c in d.ts; for 1 file the time was not enough');
  expect(report).toMatch(/^- Wrong example: `f\(1\)` \(README\.md:3\) returns 3$/m);
  expect(report.match(/^- Breaks: `f\(\[\]\)` \(a\.ts\): throws TypeError$/gm)).toHaveLength(1);
});

test('the report says how many mistakes a search tried, what it left out, and why it ended early', () => {
  const searched = (more: Partial<Extract<NightEvent, { type: 'nightSearched' }>['data']>): NightEvent => ({
    type: 'nightSearched',
    data: { night, run, search: 'tests', files: 3, undone: 0, found: [], ...more },
  });
  const leftOut = [{ reason: 'It prints.', places: 2 }];
  const report = renderNightReport(
    nightAfter(
      started,
      searched({ mistakes: { tried: 40, missed: 2 }, leftOut: [{ reason: 'Older.', places: 1 }] }),
      searched({ mistakes: { tried: 2, missed: 1 }, leftOut }),
      searched({ search: 'calls', obstacle: 'Nothing isolates here.' }),
    ),
  );
  expect(report).toContain('- Missing tests: none could be written. Of 42 mistakes, no test had noticed 3.\n');
  expect(report).toContain('- A search ended early: Nothing isolates here.\n- Left out, 2 places: It prints.\n');
  expect(report).not.toContain('Older.');
});

const canary = (solved: boolean, of = run): NightEvent => ({
  type: 'nightCanary',
  data: { night, run: of, proposer: 'ollama:x', test: 'adds (2)', path: 'a.test.ts', solved, reason: null },
});

test('once a task that cannot be solved is “solved”, what the proposer made in that run is held; recipes are not', () => {
  const made = [committed('p', { author: 'model' }), committed('q')];
  expect(findHeldChanges(nightAfter(started, ...made, canary(false)))).toEqual([]);
  expect(findHeldChanges(nightAfter(started, ...made, canary(true, 'another')))).toEqual([]);
  const found = nightAfter(started, ...made, canary(true));
  expect(findHeldChanges(found).map(({ proposal }) => proposal)).toEqual(['p']);
  const report = renderNightReport(found);
  expect(report).toContain('ollama:x “solved” **adds (2)** (a.test.ts)');
  // The warning comes before the commands that take the changes.
  expect(report.indexOf('is not to be trusted')).toBeLessThan(report.indexOf('git merge'));
  expect(report).toContain('- Held for you: 1.');
  expect(report).toContain('1 of them is still on the branch');
  expect(renderNightReport(nightAfter(started, canary(false)))).toContain('It solved none, as it should.');
});

test('a held change that was taken off the branch keeps a number, until a person drops it', () => {
  const parked: NightEvent = {
    type: 'nightMoved',
    data: {
      night,
      base,
      commits: [{ proposal: 'q', commit: 'new' }],
      left: [{ proposal: 'p', reason: 'It was taken out.', held: true }],
    },
  };
  const events = [started, committed('p', { author: 'model' }), committed('q'), canary(true), parked];
  const found = nightAfter(...events);
  expect(found).toMatchObject({ changes: [{ proposal: 'q' }], parked: [{ proposal: 'p' }], left: [] });
  expect([findHeldChangesOnBranch(found), findHeldChanges(found).map(({ proposal }) => proposal)]).toEqual([[], ['p']]);
  expect(listNumberedChanges(found).map(({ proposal }) => proposal)).toEqual(['q', 'p']);
  const report = renderNightReport(found);
  expect(report).toContain('- Held for you: 2.');
  expect(report).toMatch(/## Held, and not on the branch\n\n- 2\. \*\*Change p\*\*: `git show [\w-]+`/);
  expect(report).not.toContain('still on the branch');
  const dropped: NightEvent = { type: 'nightDecided', data: { night, verdict: 'dropped', changes: ['p'] } };
  expect(nightAfter(...events, dropped).parked).toEqual([]);
});

test('the order stays held on another branch, and what was proposed in it is held by later runs, too', () => {
  const begun = (branch: string, id: string, since?: number): NightEvent => ({
    type: 'nightStarted',
    data: { night: branch, run: id, base, plan, ...(since === undefined ? {} : { since }) },
  });
  const made = (branch: string, id: string, proposal: string, proposedAt: number): NightEvent => ({
    type: 'nightCommitted',
    data: { night: branch, run: id, commit: proposal, change: change(proposal, { author: 'model', proposedAt }) },
  });
  const events = [
    started,
    canary(true),
    begun('two', 'run-2', 0),
    made('two', 'run-2', 'p', 3),
    begun('three', 'run-3'),
    // A busy machine had put it off until a run that trusts its proposer.
    made('three', 'run-3', 'q', 3),
    made('three', 'run-3', 's', 5),
  ];
  const nights = foldNights(events.map((event, at) => ({ ...event, at })));
  expect(nights.map((one) => findHeldChanges(one).map(({ proposal }) => proposal))).toEqual([[], ['p'], ['q']]);
  for (const one of nights.slice(1)) expect(renderNightReport(one)).toContain('- Held for you: 1.');
});

test('what a run waits for stands before all that it has done; what was answered stands after it', () => {
  const paused: NightEvent = { type: 'nightPaused', data: { night, run, kind: 'gain', reason: 'A large gain.' } };
  const report = renderNightReport(nightAfter(started, committed('p'), paused));
  expect(report.indexOf('## Unusual')).toBeLessThan(report.indexOf('| 1 | Change p'));
  const answered: NightEvent = { type: 'nightAnswered', data: { night, run, kind: 'gain' } as never };
  const later = renderNightReport(nightAfter(started, committed('p'), paused, answered));
  expect(later.indexOf('## Unusual')).toBeGreaterThan(later.indexOf('| 1 | Change p'));
});

test('texts of the repository are no markup in the report', () => {
  const report = renderNightReport(
    nightAfter(started, committed('p', { title: '[x](http://example.com) <b>', paths: ['a|b.ts'] })),
  );
  expect(report).not.toContain('[x](http');
  expect(report).not.toContain('<b>');
});

test('a night without a change offers nothing to merge', () => {
  const found = nightAfter(started, ended);
  expect(nightHeadline(found)).toBe('selfware/night-2026-11-25: no change');
  expect(renderNightReport(found)).not.toContain('git merge');
});
