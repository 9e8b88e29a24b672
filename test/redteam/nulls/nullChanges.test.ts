// A sample of the thousand that `npm run bench -- nulls` brings: what changes nothing is never accepted.

import { join } from 'node:path';
import { expect, test } from 'vitest';
import { NULL_EDITS } from './nullEdits.ts';
import { nullChanges, type NullOutcome } from './nullChanges.ts';

test('edits that change nothing are refused, whatever they look like', async () => {
  const outcomes: NullOutcome[] = [];
  for await (const outcome of nullChanges(
    join(import.meta.dirname, '../../../server/src/core/apply'),
    2 * Object.keys(NULL_EDITS).length,
  ))
    outcomes.push(outcome);
  expect(outcomes.filter(({ outcome }) => outcome === 'verified')).toEqual([]);
  expect(new Set(outcomes.map(({ edit }) => edit)).size).toBe(Object.keys(NULL_EDITS).length);
  // Most get as far as the ruler; were they stopped before, it would prove nothing about it.
  expect(outcomes.filter(({ by }) => by === 'score').length).toBeGreaterThan(outcomes.length / 2);
});
