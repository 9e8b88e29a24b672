// What people read about the limit of processes is true of the platform: the fast counter runs only on Linux.

import { expect, test } from 'vitest';
import { describeTaskLimit } from '../../../server/src/adapters/sandbox/isolation/choose.ts';

test('only Linux counts processes many times a second', () => {
  expect(describeTaskLimit('counted', 'linux')).toContain('many times a second');
  expect(describeTaskLimit('counted', 'darwin')).toContain('every two seconds');
  expect(describeTaskLimit('kernel', 'darwin')).toContain('limited by the kernel');
});
