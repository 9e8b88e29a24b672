// What a person is told of a run while nobody looks: counts and one sentence, nothing of the repository's content.

import { expect, test } from 'vitest';
import type { NightEvent } from '../../../server/src/core/model/nights.ts';
import { createNotice } from '../../../server/src/core/run/notice.ts';
import { renderNightReport } from '../../../server/src/core/run/report/nightReport.ts';
import { foldNights } from '../../../server/src/core/run/nights.ts';
import { explainAddressProblem } from '../../../server/src/util/webAddress.ts';

const [night, run] = ['selfware/night-2026-11-25', 'run-1'];
const plan = { until: 1e12, maxChanges: 3, proposer: null, places: null };
const secret = 'hunter2';
const miss = (what: 'asks' | 'refused'): NightEvent => ({
  type: 'nightMissed',
  data: { night, run, miss: { what, proposal: secret, title: secret, rule: secret, path: secret, reason: secret } },
});
const wish = (outcome: 'committed' | 'notDone' | 'deferred'): NightEvent => ({
  type: 'nightWish',
  data: { night, run, wish: secret, text: secret, outcome, proposal: null, reason: secret },
});
const told = (by: 'command' | 'url', failure: string | null): NightEvent => ({
  type: 'nightTold',
  data: { night, run, event: 'ended', by, failure },
});
const nightAfter = (...events: readonly NightEvent[]) =>
  foldNights(
    [{ type: 'nightStarted', data: { night, run, base: 'a'.repeat(40), plan } } as NightEvent, ...events].map(
      (event, at) => ({ ...event, at }),
    ),
  )[0]!;

test('a notice holds counts and one sentence; titles, paths, wishes and reasons stay here', () => {
  const notice = createNotice(
    'ended',
    'grades',
    nightAfter(miss('asks'), miss('refused'), miss('refused'), wish('notDone')),
  );
  expect(notice).toEqual({
    version: 1,
    event: 'ended',
    text:
      'Selfware in grades: the unattended run has ended. 0 changes, 1 waits for you, 2 proposals were not taken, ' +
      '0 of 1 wish done.',
    repository: 'grades',
    branch: night,
    anomaly: null,
    changes: 0,
    waiting: 1,
    notTaken: 2,
    wishes: { done: 0, notDone: 1, deferred: 0 },
  });
  expect(JSON.stringify(notice)).not.toContain(secret);
});

test('a wish whose answer waits for a quieter machine is deferred, not undone', () => {
  const { text, wishes } = createNotice('ended', 'grades', nightAfter(wish('committed'), wish('deferred')));
  expect(wishes).toEqual({ done: 1, notDone: 0, deferred: 1 });
  expect(text).toContain('1 of 2 wishes done, 1 deferred.');
});

test('before the first run there is a test notice, without a branch', () => {
  expect(createNotice('test', 'grades', null)).toMatchObject({
    branch: null,
    changes: 0,
    text: expect.stringContaining('It works'),
  });
});

test('the report says who could not be told, until the same way has worked', () => {
  const failed = nightAfter(told('url', 'It answered with the status 410.'), told('command', null));
  expect(failed.untold).toEqual({ url: 'It answered with the status 410.' });
  expect(renderNightReport(failed)).toContain('night.notifyUrl`: It answered with the status 410.');
  const later = nightAfter(told('url', 'It answered with the status 410.'), told('url', null));
  expect(renderNightReport(later)).not.toContain('You could not be told');
});

test.each([
  ['https://chat.example/hook', true],
  ['http://127.0.0.1:8080/hook', true],
  ['http://[::1]:8080/', true],
  ['http://localhost/', true],
  ['http://chat.example/hook', false],
  ['http://127.0.0.1.example/', false],
  ['http://localhost@chat.example/', false],
  ['https://name@chat.example/', false],
  ['https://:word@chat.example/', false],
  ['http://name:word@127.0.0.1:8080/', false],
  ['http://2130706433.example/', false],
  ['file:///etc/passwd', false],
  ['ftp://127.0.0.1/', false],
  ['chat.example', false],
  ['', false],
])('%s may be told: %s', (address, may) => {
  expect(explainAddressProblem(address) === null).toBe(may);
});
