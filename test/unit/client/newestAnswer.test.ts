// Overlapping requests for the state: what was asked first may be answered last, and is out of date then.

import { expect, test } from 'vitest';
import { createRequestOrder } from '../../../client/src/status/newestAnswer.ts';

test('an older answer that arrives after a newer one does not count', () => {
  const { begin } = createRequestOrder();
  const [first, second, third] = [begin(), begin(), begin()];
  expect([second(), first(), third()]).toEqual([true, false, true]);
});

test('answers in the order of their requests all count', () => {
  const { begin } = createRequestOrder();
  const [first, second] = [begin(), begin()];
  expect([first(), second(), begin()()]).toEqual([true, true, true]);
});
