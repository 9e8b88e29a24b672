// The queue of wishes: added, moved to the front, dropped, done, and tried again in the next run.

import { expect, test } from 'vitest';
import { addWishes } from '../../../server/src/core/run/wishChanges.ts';
import { openWishes } from '../../../server/src/core/run/wishes.ts';

type Event = Parameters<typeof openWishes>[0][number];
const added = (wish: string): Event => ({ type: 'wishAdded', at: 1, data: { wish, text: `Text of ${wish}` } });
const tried = (wish: string, outcome: 'committed' | 'notDone', run = 'run-1'): Event => ({
  type: 'nightWish',
  at: 2,
  data: { night: 'n', run, wish, text: '', outcome, proposal: null, reason: outcome === 'notDone' ? 'No.' : null },
});
const ids = (...events: readonly Event[]) => openWishes(events).map(({ id }) => id);

test('wishes wait in the order in which they were added, unless one is put first', () => {
  expect(ids(added('a'), added('b'), added('c'))).toEqual(['a', 'b', 'c']);
  expect(ids(added('a'), added('b'), { type: 'wishFirst', at: 1, data: { wish: 'b' } })).toEqual(['b', 'a']);
});

test('a text is added once, however often it is named or waits already', () => {
  const [waiting] = openWishes([added('a')]);
  const texts = ['Round up.', 'Text of a', ' Round up. ', 'Round down.'];
  const events = addWishes([waiting!], texts, () => 'x');
  expect(events.map(({ data }) => 'text' in data && data.text)).toEqual(['Round up.', 'Round down.']);
});

test('what is done or dropped is gone; what was not done keeps its place, with each reason', () => {
  const events = [added('a'), added('b'), added('c'), tried('a', 'notDone'), tried('b', 'committed')];
  expect(ids(...events, { type: 'wishDropped', at: 3, data: { wish: 'c' } })).toEqual(['a']);
  const [wish] = openWishes([...events, tried('a', 'notDone', 'run-2')]);
  expect(wish).toMatchObject({ text: 'Text of a', tries: [{ run: 'run-1', reason: 'No.' }, { run: 'run-2' }] });
});

test('events about wishes that are not there change nothing', () => {
  expect(ids(tried('x', 'notDone'), { type: 'wishFirst', at: 1, data: { wish: 'x' } })).toEqual([]);
});
