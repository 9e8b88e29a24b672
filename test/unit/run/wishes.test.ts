// The queue of wishes: added, moved to the front, dropped, done, and tried again in the next run.

import { expect, test } from 'vitest';
import { computeRequestTaskId } from '../../../server/src/core/model/asks.ts';
import type { ProposalStatus } from '../../../server/src/core/model.ts';
import { addWishes, moveWish } from '../../../server/src/core/run/wishChanges.ts';
import {
  findNextWish,
  foldOpenWishes,
  readUnappliedWishes,
  readWishes,
  type WishLedger,
} from '../../../server/src/core/run/wishes.ts';

type Event = Parameters<typeof foldOpenWishes>[0][number];
const added = (wish: string): Event => ({ type: 'wishAdded', at: 1, data: { wish, text: `Text of ${wish}` } });
const tried = (wish: string, outcome: 'committed' | 'notDone' | 'deferred', run = 'run-1'): Event => ({
  type: 'nightWish',
  at: 2,
  data: { night: 'n', run, wish, text: '', outcome, proposal: null, reason: outcome === 'committed' ? null : 'No.' },
});
const ids = (...events: readonly Event[]) => foldOpenWishes(events).map(({ id }) => id);

test('wishes wait in the order in which they were added, unless one is put first', () => {
  expect(ids(added('a'), added('b'), added('c'))).toEqual(['a', 'b', 'c']);
  expect(ids(added('a'), added('b'), { type: 'wishFirst', at: 1, data: { wish: 'b' } })).toEqual(['b', 'a']);
});

test('a wish is moved by one place, to an end, or to a number', () => {
  const events = ['a', 'b', 'c', 'd'].map(added);
  const queue = foldOpenWishes(events);
  const move = (wish: string, place: string) =>
    ids(...events, ...moveWish(queue, wish, place).map((event) => ({ ...event, at: 2 }) as Event)).join('');
  expect([move('b', 'up'), move('b', 'down'), move('c', 'first'), move('1', 'last')]).toEqual([
    'bacd',
    'acbd',
    'cabd',
    'bcda',
  ]);
  expect([move('a', '3'), move('d', '2'), move('a', '99')]).toEqual(['bcad', 'adbc', 'bcda']);
  // It is there already.
  expect([moveWish(queue, 'a', 'up'), moveWish(queue, 'd', 'last'), moveWish(queue, 'b', '2')]).toEqual([[], [], []]);
  for (const place of ['0', '-1', 'top', '']) expect(() => moveWish(queue, 'a', place)).toThrow('cannot be moved');
  // The run has done the wish that the moved one was to come before.
  expect(
    ids(...events, tried('c', 'committed'), { type: 'wishMoved', at: 3, data: { wish: 'a', before: 'c' } }).join(''),
  ).toBe('bda');
});

test('a text is added once, however often it is named or waits already', () => {
  const [waiting] = foldOpenWishes([added('a')]);
  const texts = ['Round up.', 'Text of a', ' Round up. ', 'Round down.'];
  const events = addWishes([waiting!], texts, () => 'x');
  expect(events.map(({ data }) => 'text' in data && data.text)).toEqual(['Round up.', 'Round down.']);
});

test('what is done or dropped is gone; what was not done keeps its place, with each reason', () => {
  const events = [added('a'), added('b'), added('c'), tried('a', 'notDone'), tried('b', 'committed')];
  expect(ids(...events, { type: 'wishDropped', at: 3, data: { wish: 'c' } })).toEqual(['a']);
  const [wish] = foldOpenWishes([...events, tried('a', 'notDone', 'run-2')]);
  expect(wish).toMatchObject({ text: 'Text of a', tries: [{ run: 'run-1', reason: 'No.' }, { run: 'run-2' }] });
});

test('a run tries each wish once; one that waits for a quieter machine is tried again when it is quiet', () => {
  const next = (isQuiet: boolean, ...events: readonly Event[]) =>
    findNextWish(foldOpenWishes([added('a'), added('b'), ...events]), 'run-1', () => isQuiet, 9)?.id;
  expect(next(false)).toBe('a');
  expect(next(true, tried('a', 'notDone'))).toBe('b');
  expect(next(true, tried('a', 'notDone', 'run-0'))).toBe('a');
  const deferred = tried('a', 'deferred');
  expect([next(false, deferred), next(true, deferred)]).toEqual(['b', 'a']);
  expect(next(true, deferred, tried('a', 'notDone'), tried('b', 'notDone'))).toBeUndefined();
  // The next run tries it in any case.
  expect(next(false, tried('a', 'deferred', 'run-0'))).toBe('a');
});

test('a wish for which nobody could be asked is tried again at its time, and that does not count as a try', () => {
  const postponed = (retryAt: number | null, run = 'run-1'): Event => {
    const data = {
      night: 'n',
      run,
      wish: 'a',
      text: '',
      outcome: 'deferred',
      proposal: null,
      reason: 'Down.',
    } as const;
    return { type: 'nightWish', at: 2, data: { ...data, retryAt } };
  };
  const queue = (...events: readonly Event[]) => foldOpenWishes([added('a'), ...events]);
  const isTried = (now: number, ...events: readonly Event[]) =>
    findNextWish(queue(...events), 'run-1', () => true, now) !== null;
  expect([isTried(4, postponed(5)), isTried(5, postponed(5))]).toEqual([false, true]);
  // A budget of the run: only another run tries it again.
  expect([isTried(99, postponed(null)), isTried(99, postponed(null, 'run-0'))]).toEqual([false, true]);
  expect(queue(postponed(5), postponed(7))[0]!.tries).toMatchObject([{ retryAt: 7 }]);
  expect(queue(postponed(5), tried('a', 'notDone'))[0]!.tries).toEqual([
    { run: 'run-1', reason: 'No.', proposal: null },
  ]);
});

test('of the wishes that could not be asked, the one that was asked least recently comes first', () => {
  const postponed = (wish: string, at: number, seconds?: number): Event => {
    const data = { night: 'n', run: 'run-1', wish, text: '', outcome: 'deferred', proposal: null, reason: '' } as const;
    return { type: 'nightWish', at, data: { ...data, retryAt: 5, ...(seconds === undefined ? {} : { seconds }) } };
  };
  const next = (run: string, ...events: readonly Event[]) =>
    findNextWish(foldOpenWishes([added('a'), added('b'), ...events]), run, () => true, 9)?.id;
  const once = [postponed('a', 2, 1), postponed('b', 2)];
  expect(next('run-1', ...once)).toBe('b');
  const twice = [...once, postponed('b', 3, 1)];
  expect(next('run-1', ...twice)).toBe('a');
  // That it was postponed without a question does not hide its question before.
  expect(next('run-1', ...twice, postponed('b', 4), postponed('a', 4))).toBe('a');
  expect(next('run-2', ...once)).toBe('a');
});

test('a wish that gets another test while it waits for a quieter machine is asked for again', () => {
  const tested: Event = { type: 'wishTested', at: 3, data: { wish: 'a', tests: [], by: 'person' } };
  const [wish] = foldOpenWishes([added('a'), tried('a', 'notDone', 'run-0'), tried('a', 'deferred'), tested]);
  expect(wish).toMatchObject({ tests: [], tries: [{ run: 'run-0' }] });
});

test('a wish whose change falls off the branch waits again, before the others; one that a person took out does not', () => {
  const done: Event = {
    type: 'nightWish',
    at: 2,
    data: { night: 'n', run: 'run-1', wish: 'a', text: '', outcome: 'committed', proposal: 'p', reason: null },
  };
  const moved = (lost: boolean): Event => ({
    type: 'nightMoved',
    at: 3,
    data: {
      night: 'n',
      base: 'b',
      commits: [],
      left: [{ proposal: 'p', reason: 'The same lines were changed.', ...(lost ? { lost: true } : {}) }],
    },
  });
  const after = (...events: readonly Event[]) => foldOpenWishes([added('a'), added('b'), done, ...events]);
  expect(after(moved(false)).map(({ id }) => id)).toEqual(['b']);
  const reopened = after(moved(true));
  expect(reopened.map(({ id }) => id)).toEqual(['a', 'b']);
  expect(reopened[0]!.tries.at(-1)!.reason).toContain('no longer on the branch. The same lines');
  // It is tried again in the same run.
  expect(findNextWish(reopened, 'run-1', () => true, 9)?.id).toBe('a');
});

test('events about wishes that are not there change nothing', () => {
  expect(ids(tried('x', 'notDone'), { type: 'wishFirst', at: 1, data: { wish: 'x' } })).toEqual([]);
});

test.each([
  ['verified', 2, false],
  ['deferred', 2, false],
  ['kept', 2, false],
  ['refused', 2, true],
  ['rejected', 2, true],
  ['rolledBack', 2, true],
  // The same words were asked for before the wish was added.
  ['kept', 0, true],
] as const)(
  'a wish whose proposal was filed right before the process died: %s at %i, and is it tried again? %s',
  async (status: ProposalStatus, at, isTried) => {
    const task = { kind: 'request', id: computeRequestTaskId('Text of a'), opportunity: null, path: null };
    const answered = { type: 'answered', at, data: { ask: 'q', task, outcome: 'proposed', proposal: 'p' } };
    const events = [added('a'), added('b'), answered];
    const ledger: WishLedger = {
      query: async ({ types }) => events.filter(({ type }) => (types as readonly string[]).includes(type)),
      proposals: async () => [{ id: 'p', status }],
    };
    expect((await readWishes(ledger)).map(({ id }) => id)).toEqual(isTried ? ['a', 'b'] : ['b']);
    // While it is tried, it is wanted.
    expect(await readUnappliedWishes(ledger)).toHaveLength(2);
  },
);
