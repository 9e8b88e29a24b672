// The quick part of the kill tests of the index; `npm run bench -- kill` does as many as one likes.

import { join } from 'node:path';
import { expect, test } from 'vitest';
import { runKills } from './indexKills.ts';

/** Milliseconds; each kill costs some processes, on a machine that may be busy. */
const TIME = 240_000;
const sources = join(import.meta.dirname, '..', '..', 'server', 'src', 'core', 'index');

test.each([
  ['lexical', 8, 1],
  ['lancedb', 12, 2],
] as const)('%s: after each of %i kills at random moments the next start is right', { timeout: TIME }, async (store, kills, seed) => {
  const report = await runKills({ store, kills, seed, sources });
  expect(report.faults).toEqual([]);
  expect(report.killed).toBe(kills);
});
