// Parts of a night's report: what became of variants that were made worse on purpose, and of wishes.

import { expect, test } from 'vitest';
import type { NightEvent } from '../../../server/src/core/model/nights.ts';
import { renderNightReport } from '../../../server/src/core/run/report/nightReport.ts';
import { foldNights } from '../../../server/src/core/run/nights.ts';
import type { Night, TimedNightEvent } from '../../../server/src/core/run/nightTypes.ts';

const HOUR = 3_600_000;
const [night, run] = ['selfware/night-2026-11-25', 'run-1'];
const plan = { until: 8 * HOUR, maxChanges: 3, proposer: null, places: null };
const started: NightEvent = { type: 'nightStarted', data: { night, run, base: 'a'.repeat(40), plan } };
const ended: NightEvent = { type: 'nightEnded', data: { night, run, reason: 'Nothing is left.', passedOver: {} } };
const nightAfter = (...events: readonly NightEvent[]) => foldNights(events.map((event, at) => ({ ...event, at })))[0]!;

test('the report gives the escape rate by kind; what could not be judged counts for neither side', () => {
  const variant = (
    kind: 'off by one' | 'error swallowed',
    outcome: 'caught' | 'escaped' | 'unknown',
    more: { readonly isBeside?: true } = {},
  ): NightEvent => ({
    type: 'nightVariant',
    data: {
      night,
      run,
      proposal: 'p',
      title: 'Change p',
      kind,
      path: 'a.ts',
      line: 7,
      outcome,
      reason: null,
      ...more,
      ...(outcome === 'escaped' ? { diff: '@@ -7 +7 @@\n-a > b\n+a >= b' } : {}),
    },
  });
  const waiting: NightEvent = { type: 'nightWaiting', data: { night, run, until: HOUR, reason: 'Nothing is left.' } };
  const found = nightAfter(
    started,
    waiting,
    variant('off by one', 'caught'),
    variant('off by one', 'escaped'),
    variant('error swallowed', 'caught'),
    variant('error swallowed', 'unknown'),
  );
  expect(found.state).toBe('waiting');
  const report = renderNightReport(found);
  expect(report).toContain(
    'The checks did not notice 1 of 3 variants: look at what these do. 1 variant could not be judged.',
  );
  expect(report).toContain('| error swallowed | 1 | 0 |\n| off by one | 2 | 1 |');
  expect(report).toContain(
    '- off by one, a.ts:7, in a variant of “Change p”\n\n```diff\n@@ -7 +7 @@\n-a > b\n+a >= b\n```\n',
  );
  expect(report).not.toContain('beside');
  // What lies beside the changes is counted apart.
  const isBeside = { isBeside: true } as const;
  const beside = [variant('off by one', 'escaped', isBeside), variant('error swallowed', 'caught', isBeside)];
  const both = renderNightReport(nightAfter(started, variant('off by one', 'caught'), ...beside));
  expect(both).toContain('while it waited. The checks noticed the one variant, as they should.');
  expect(both).not.toContain('| Made worse by');
  expect(both).toContain(
    'code beside the changes worse, too. The checks did not notice 1 of 2 variants: look at what these do. That code',
  );
  expect(both).toContain('- Untested code beside “Change p”: off by one, a.ts:7\n\n```diff\n');
});

test('the report says that a wish waits for a quieter machine, until it is tried again', () => {
  const wish = (outcome: 'committed' | 'notDone' | 'deferred', reason: string | null): NightEvent => ({
    type: 'nightWish',
    data: { night, run, wish: 'w', text: 'Round up', outcome, proposal: 'p', reason },
  });
  const waits = wish('deferred', 'Machine busy.');
  const report = (...events: readonly NightEvent[]) => renderNightReport(nightAfter(started, ...events));
  expect(report(waits)).toContain(
    '- **Round up**: waits for a quieter machine. It is tried again then, also in this run. Machine busy.\n',
  );
  expect(report(waits, ended)).toContain('waits for a quieter machine. The next run tries it again. Machine busy.');
  for (const [again, line] of [
    [wish('committed', null), 'done'],
    [wish('notDone', 'No.'), 'not done. No.'],
  ] as const) {
    expect(report(waits, again)).toContain(`- **Round up**: ${line}\n`);
    expect(report(waits, waits, again).match(/Round up/g)).toHaveLength(1);
  }
});

test('of each file the largest search counts, and a search that ended early says nothing about files', () => {
  const searched = (more: object): NightEvent => ({
    type: 'nightSearched',
    data: { night, run, search: 'tests', files: 2, undone: 0, found: [], ...more },
  });
  const mistakes = (...files: { path: string; tried: number; missed: number }[]) => ({
    mistakes: { tried: 99, missed: 99, files },
  });
  const report = renderNightReport(
    nightAfter(
      started,
      searched(mistakes({ path: 'a.js', tried: 12, missed: 4 }, { path: 'b.js', tried: 5, missed: 1 })),
      searched({
        undone: 3,
        ...mistakes({ path: 'a.js', tried: 4, missed: 2 }),
        leftOut: [{ reason: 'L.', places: 1 }],
      }),
      searched({ files: 0, obstacle: 'No space.' }),
      ended,
    ),
  );
  expect(report).toContain('Of 17 mistakes, no test had noticed 5.');
  expect(report).toContain('for 3 files the time was not enough');
  expect(report).toContain('- Left out, 1 place: L.');
  expect(report).toContain('- A search ended early: No space.');
});

test('a night that had nothing left to search says that earlier nights have searched it', () => {
  const searched: NightEvent = {
    type: 'nightSearched',
    data: { night, run, search: 'tests', files: 2, undone: 0, found: [], mistakes: { tried: 0, missed: 0, files: [] } },
  };
  const found = nightAfter(started, searched, ended);
  expect(renderNightReport(found)).toContain('- Missing tests: none could be written.');
  expect(renderNightReport(found, new Map(), { earlier: [found] })).toContain(
    '- Missing tests: earlier nights have searched all of this code, so nothing was searched again.',
  );
});

const change = (proposal: string, rule: string, before: number, after: number) =>
  ({
    type: 'nightCommitted',
    data: {
      night,
      run,
      commit: proposal.repeat(20),
      change: {
        ...{ proposal, title: `Change ${proposal}`, rationale: '', rule, recipe: rule, author: 'recipe' },
        ...{ strength: 'proven', claim: null, points: { before, after }, paths: ['a.ts'], checks: [], cost: null },
      },
    },
  }) as NightEvent;
const miss = (proposal: string, rule: string, what: string) =>
  ({
    type: 'nightMissed',
    data: { night, run, miss: { what, proposal, title: `Change ${proposal}`, rule, path: 'a.ts', reason: 'So.' } },
  }) as NightEvent;

test('the report has the figures of the night by the last outcome of each proposal, beside those of earlier nights', () => {
  expect(renderNightReport(nightAfter(started, ended))).not.toContain('## Figures');
  const few = [change('p1', 'else-after-return', 700, 701), miss('p2', 'unused-local', 'refused')];
  expect(renderNightReport(nightAfter(started, ...few))).not.toContain('Committed by');
  const more = [
    ...[
      miss('p3', 'unused-local', 'deferred'),
      miss('p4', 'unused-local', 'asks'),
      miss('p5', 'unused-local', 'rolledBack'),
    ],
    change('p3', 'unused-local', 701, 702),
  ];
  const found = nightAfter(started, ...few, ...more, ended);
  const report = renderNightReport(found);
  expect(report).toContain(
    '|  | This night | Goal |\n|---|---|---|\n| Proposals that passed | 2 of 4 (50 %) | over 70 % |\n' +
      '| Changes that were rolled back | 1 of 3 (33 %) | under 20 % |\n| Times that it needed you | 0 | fewer than 5 a day |',
  );
  expect(report).toContain('- Committed by rule: unused-local 1 of 4, else-after-return 1 of 1\n');
  const hours = (night: string, count: number): Night =>
    foldNights(
      [started, ...Array.from({ length: count }, (_, index) => change(`p${index}`, 'unused-local', 1, 2)), ended].map(
        (event, at) => ({ ...event, at: event.type === 'nightEnded' ? HOUR : at }),
      ),
    ).map((one) => ({ ...one, branch: night }))[0]!;
  const second = renderNightReport(hours('two', 3), new Map(), { earlier: [hours('one', 1)] });
  expect(second).toContain('|  | This night | Earlier nights | Goal |');
  expect(second).toContain('| Changes in an hour of work | 3.0 (3 in 60 min) | 1.0 (1 in 60 min) | more than before |');
});

test('time in which a run waited is no work', () => {
  const waiting: NightEvent = { type: 'nightWaiting', data: { night, run, until: HOUR, reason: 'Nothing is left.' } };
  const at = [0, 60_000, 120_000, 480_000];
  const events = [started, change('p1', 'unused-local', 1, 2), waiting, ended];
  const [found] = foldNights(events.map((event, index) => ({ ...event, at: at[index]! })));
  expect(renderNightReport(found!)).toContain('1 run of 8 min, of which 6 min waiting.');
  expect(renderNightReport(found!)).toContain('| 30.0 (1 in 2 min) |');
});

test('a change of tests says nothing about gates of code, and what is not known has its reason', () => {
  const checks = [
    { gate: 'types', outcome: 'unknown', reason: 'No type check was found.' },
    { gate: 'differential', outcome: 'unknown', reason: 'No code changes.' },
    { gate: 'tests', outcome: 'passed', reason: '3 tests passed.' },
  ];
  const claim = { kind: 'tests', holds: true, evidence: 'It notices a mistake.', price: null };
  const event = change('p1', 'unguarded-code', 1, 1);
  const data = event.data as { readonly change: object };
  const of = (more: object) =>
    renderNightReport(
      nightAfter(started, { ...event, data: { ...data, change: { ...data.change, ...more } } } as NightEvent),
    );
  expect(of({ checks, claim })).toContain(
    '- Passed. Tests: 3 tests passed.\n- Not known. Types: No type check was found.\n',
  );
  expect(of({ checks })).toContain('No type check was found. Same behaviour: No code changes.');
  expect(of({ checks, claim })).not.toContain('points on the frozen ruler');
});

test('the figures tell authors and claims apart if there are several', () => {
  const missed = (proposal: string, author?: string, claim?: string) => {
    const event = miss(proposal, 'missing-tests', 'refused');
    return {
      ...event,
      data: { ...event.data, miss: { ...(event.data as { miss: object }).miss, author, claim } },
    } as NightEvent;
  };
  const events = [change('p1', 'missing-tests', 1, 2), missed('p2', 'model', 'tests'), missed('p3')];
  const report = renderNightReport(nightAfter(started, ...events, ended));
  expect(report).toContain('- Committed by author: a language model 0 of 1, a recipe 1 of 1\n');
  expect(report).toContain('- Committed by claim: Adds tests that notice more 0 of 1, Gains points 1 of 1\n');
  const alike = [change('p1', 'missing-tests', 1, 2), missed('p2', 'recipe', 'points'), missed('p3')];
  expect(renderNightReport(nightAfter(started, ...alike, ended))).not.toContain('Committed by');
});

test('points are summed up by change, because a category may be measured for one tree and not for the next', () => {
  const events = [change('p1', 'unguarded-code', 924.5, 925), change('p2', 'unguarded-code', 680, 681.25)];
  expect(renderNightReport(nightAfter(started, ...events, ended))).toContain('+1.75 points on the frozen ruler.');
});

const committedChange = (proposal: string): NightEvent => ({
  type: 'nightCommitted',
  data: {
    night,
    run,
    commit: `${proposal}-commit`,
    change: {
      ...{ proposal, title: `Change ${proposal}`, rationale: '', rule: 'some-rule', recipe: 'some-recipe' },
      ...{ author: 'recipe', strength: 'proven', claim: null, points: { before: 1, after: 2 }, paths: ['a.ts'] },
      ...{ checks: [], cost: null },
    },
  },
});

test('the report names only what can be done with the branch as it is', () => {
  const stepsOf = (...events: readonly NightEvent[]) =>
    renderNightReport(nightAfter(started, committedChange('p'), ...events)).split('## 1. ')[0]!;
  const two = stepsOf(committedChange('q'), ended);
  expect(two).toContain(
    'Reject all or some: `selfware night drop [NUMBER…]`. Rejecting all of them deletes the branch',
  );
  expect(two.split('`selfware night drop')).toHaveLength(2);
  expect(two).toContain('`selfware night squash`');
  expect(two).not.toContain('`selfware night stop`');
  expect(stepsOf(committedChange('q'))).toContain(
    'The run has not ended. End it before you take or reject anything: `selfware night stop`',
  );
  const one = stepsOf(ended);
  expect(one).toContain('Take the commit: `git merge');
  expect(one).not.toContain('squash`');
  const decided = (verdict: 'accepted' | 'squashed'): NightEvent => ({
    type: 'nightDecided',
    data: { night, verdict, changes: null, ...(verdict === 'squashed' ? { commit: 'one' } : {}) },
  });
  const squashed = stepsOf(committedChange('q'), ended, decided('squashed'));
  expect(squashed).toContain('Reject it: `selfware night drop` deletes the branch');
  expect(squashed).not.toContain('squash`');
  const accepted = stepsOf(committedChange('q'), ended, decided('accepted'));
  for (const command of ['git merge', 'night accept', 'night pr']) expect(accepted).not.toContain(command);
});

test('hours are said as hours', () => {
  const reportAfter = (at: number) =>
    renderNightReport(foldNights([{ ...started, at: 0 }, { ...ended, at } as TimedNightEvent]).at(-1)!);
  expect(reportAfter(59 * 60_000)).toContain('1 run of 59 min.');
  expect(reportAfter(HOUR)).toContain('1 run of 1 h.');
  expect(reportAfter(13 * HOUR + 26 * 60_000)).toContain('1 run of 13 h 26 min.');
});
