// What status bar, menu and context keys say about a state, and when a lost server is started again. Plain data.

import { expect, test } from 'vitest';
import type { SidebarState } from '#protocol/state';
import { createLossCounter } from '../../../client/src/server/lostCount.ts';
import { composeStatus } from '../../../client/src/status/statusText.ts';
import { composeStopQuestion } from '../../../client/src/stopText.ts';
import { createPart } from '../../helpers/createPart.ts';

const idle = createPart<SidebarState>({
  folder: 'file:///a',
  folders: [],
  trusted: true,
  activity: 'idle',
  indexingPaused: false,
  progress: null,
  points: null,
  opportunityCount: 2,
  doable: {
    analysed: true,
    quiet: 3,
    canImprove: true,
    canSearch: true,
    improve: 'Improve can try 1 of the 2 shown.',
    empty: '',
    more: '3 are hidden: their rules are quiet by default.',
    language: null,
    barrier: null,
  },
  waiting: 0,
  pending: [],
  checkpoints: [],
  index: { files: 3 },
  git: { branch: 'main', head: null },
});

test('indexing is counted, paused indexing is said, and neither hides what waits', () => {
  const proposal = {} as SidebarState['pending'][number];
  expect(
    composeStatus({ ...idle, activity: 'indexing', progress: { message: '', done: 64, total: 800 } }, null).text,
  ).toBe('$(sync~spin) Indexing 64 of 800');
  const progress = { message: '', done: 1192, total: 2501 };
  expect(composeStatus({ ...idle, activity: 'indexing', progress }, null).text).toBe(
    '$(sync~spin) Indexing 1,192 of 2,501',
  );
  expect(composeStopQuestion({ ...idle, activity: 'indexing', progress, making: [] }, 0)?.detail).toMatch(
    '1,192 of 2,501',
  );
  expect(
    composeStatus(
      { ...idle, activity: 'indexing', progress: { message: '', done: 0, total: null, finishing: true } },
      null,
    ).text,
  ).toBe('$(sync~spin) Finishing the index');
  expect(composeStatus({ ...idle, indexingPaused: true, waiting: 1, pending: [proposal] }, null)).toMatchObject({
    text: '$(debug-pause) Indexing paused $(git-pull-request) 1 to decide',
    isProminent: true,
    tooltip: expect.stringContaining('Indexing is paused'),
  });
  expect(composeStatus({ ...idle, activity: 'stopped', indexingPaused: true }, null).text).toBe(
    '$(circle-slash) Selfware stopped',
  );
});

test('of several folders the name of the one is said', () => {
  const folders = [
    { uri: 'file:///a', name: 'api', waiting: 0 },
    { uri: 'file:///b', name: 'web', waiting: 3 },
  ];
  expect(composeStatus({ ...idle, folder: 'file:///b', folders }, null)).toMatchObject({
    text: '$(sparkle) web: Selfware',
    tooltip: expect.stringContaining('Folder web'),
  });
});

test('a lost server is said before whatever was known', () => {
  expect(composeStatus(idle, 'gone', 'restarting').text).toBe('$(sync~spin) Selfware restarting');
  expect(composeStatus(idle, null, 'gone')).toMatchObject({
    text: '$(error) Selfware',
    tooltip: expect.stringContaining('Restart'),
  });
  expect(composeStatus(null, null, 'starting').text).toBe('$(loading~spin) Selfware');
});

test('a server that stops five times in three minutes is not started again, until it is asked for', () => {
  let now = 0;
  const lost = createLossCounter(() => now);
  expect([1, 2, 3, 4, 5].map(() => lost.countLoss())).toEqual([true, true, true, true, false]);
  lost.forget();
  expect(lost.countLoss()).toBe(true);
  const patient = createLossCounter(() => (now += 60_000));
  expect(Array.from({ length: 20 }, () => patient.countLoss())).not.toContain(false);
});
