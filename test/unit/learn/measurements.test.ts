// Measurements of Selfware itself in the ledger of a repository, and the bottleneck that whoever watches a run sees.

import { expect, test } from 'vitest';
import type { RecordedEvent } from '../../../server/src/core/ledger/events.ts';
import type { StageFigures } from '../../../server/src/core/model/nights.ts';
import type { StoredEvent } from '../../../server/src/core/ports/ledger.ts';
import { createBottleneckReader } from '../../../server/src/core/session/learn/performance/bottleneckReader.ts';
import { findMeasurements } from '../../../server/src/core/session/learn/performance/measurements.ts';

const turn = (at: number, stages: readonly StageFigures[]) =>
  ({ sequence: at, at, type: 'nightTurn', data: { night: 'n', run: 'r', stages } }) as unknown as RecordedEvent;

test('the checks of the turns of a night count, each turn with the mean of what it verified', () => {
  const stages: readonly StageFigures[] = [
    { stage: 'analyse', ms: 500, outcomes: { done: 1 } },
    { stage: 'verify', ms: 9_000, outcomes: { verified: 1, refused: 2 } },
  ];
  const { verifications } = findMeasurements([
    turn(1, stages),
    turn(2, []),
    turn(3, [{ ...stages[1]!, outcomes: {} }]),
  ]);
  expect(verifications).toEqual([{ at: 1, seconds: 3 }]);
});

test('the worst missed target is named with how many follow, and read again after a minute', async () => {
  const stateMeasured = (ledgerMs: number): StoredEvent =>
    ({ sequence: 1, at: 1, type: 'stateMeasured', data: { ledgerMs, databaseMb: 900, connections: 3 } }) as never;
  let [ledgerMs, reads] = [250, 0];
  const ledger = { query: async () => ((reads += 1), [stateMeasured(ledgerMs)]) };
  const read = createBottleneckReader({ database: 100 });
  const phrase = 'Size of the databases and the index: 900 MB, target at most 100; 1 more figure misses its target';
  expect(await read(ledger, 10)).toBe(phrase);
  ledgerMs = 50;
  expect(await read(ledger, 59_000)).toBe(phrase);
  expect(reads).toBe(1);
  expect(await read(ledger, 61_000)).toBe('Size of the databases and the index: 900 MB, target at most 100');
  expect(await createBottleneckReader({})(ledger, 10)).toBeNull();
});
