// Shares follow their use, slowly and within bounds.

import fc from 'fast-check';
import { expect, test } from 'vitest';
import { adaptShares, type Snapshot } from '../../../server/src/core/memory/adaptation.ts';
import { runs } from '../../helpers/properties.ts';
import { allocations } from '../../../server/src/core/memory/allocations.ts';
import { pack, record } from './records.ts';
import type { TaskType } from '../../../server/src/core/memory/contextPack.ts';

const taskTypes = Object.keys(allocations) as TaskType[];

/** Use as a part of the table's share of each layer. */
function snapshot(taskType: TaskType, working: number, episodic: number, semantic: number): Snapshot {
  const of = (layer: 'working' | 'episodic' | 'semantic', use: number) => ({
    tokens: Math.round(1000 * allocations[taskType][layer] * use),
  });
  return {
    taskType,
    budgetTokens: 100_000,
    layers: {
      working: of('working', working),
      episodic: of('episodic', episodic),
      semantic: of('semantic', semantic),
      reserve: { tokens: 0 },
    },
  };
}

const times = (n: number, one: Snapshot) => Array.from({ length: n }, () => one);

test.each([
  [
    'fewer than five snapshots change nothing',
    'Debugging',
    times(4, snapshot('Debugging', 0, 1, 3)),
    { working: 25, episodic: 35, semantic: 30 },
  ],
  [
    'five do; a quarter of a share moves at most',
    'Debugging',
    times(5, snapshot('Debugging', 0, 1, 3)),
    { working: 19, episodic: 35, semantic: 36 },
  ],
  [
    'snapshots of another task do not count',
    'Debugging',
    times(9, snapshot('Learning', 0, 1, 3)),
    { working: 25, episodic: 35, semantic: 30 },
  ],
  [
    'a use within 30 % changes nothing',
    'Debugging',
    times(9, snapshot('Debugging', 0.7, 1, 1.3)),
    { working: 25, episodic: 35, semantic: 30 },
  ],
  [
    'nothing moves when nobody needs it',
    'Debugging',
    times(9, snapshot('Debugging', 0, 0, 1)),
    { working: 25, episodic: 35, semantic: 30 },
  ],
  [
    'what a layer lacks is all that it takes',
    'Conversation',
    times(9, snapshot('Conversation', 0.1, 1, 1.31)),
    { working: 23, episodic: 30, semantic: 37 },
  ],
  [
    'only the last ten count',
    'Debugging',
    [...times(10, snapshot('Debugging', 0, 0, 3)), ...times(10, snapshot('Debugging', 1, 1, 1))],
    { working: 25, episodic: 35, semantic: 30 },
  ],
  [
    'on a large repository semantic memory takes what the others leave',
    'SelfImprovement',
    times(5, snapshot('SelfImprovement', 0, 0.1, 4)),
    { working: 8, episodic: 8, semantic: 74 },
  ],
  [
    // Seven percents from layers that could give 5 and 10: 2.33 and 4.67.
    'the odd percent comes from the layer with the largest remainder, if that is the last',
    'Learning',
    times(5, snapshot('Learning', 0, 0, 3)),
    { working: 18, episodic: 35, semantic: 37 },
  ],
  [
    // Eight percents for layers that could take 6 and 7: 3.69 and 4.31.
    'and if that is the first',
    'Debugging',
    times(5, snapshot('Debugging', 3, 0, 3)),
    { working: 29, episodic: 27, semantic: 34 },
  ],
] as const)('%s', (_, taskType, snapshots, expected) => {
  expect(adaptShares(taskType, snapshots)).toEqual({ ...expected, reserve: 10 });
});

test('rows always sum to 100, the reserve stays, and no share moves by more than a quarter of itself', () => {
  const use = fc.double({ min: 0, max: 5, noNaN: true });
  fc.assert(
    fc.property(
      fc.constantFrom(...taskTypes),
      fc.array(fc.tuple(use, use, use), { maxLength: 15 }),
      (taskType, uses) => {
        const shares = adaptShares(
          taskType,
          uses.map(([working, episodic, semantic]) => snapshot(taskType, working, episodic, semantic)),
        );
        expect(Object.values(shares).reduce((sum, share) => sum + share, 0)).toBe(100);
        expect(shares.reserve).toBe(10);
        for (const layer of ['working', 'episodic', 'semantic'] as const)
          expect(Math.abs(shares[layer] - allocations[taskType][layer])).toBeLessThanOrEqual(
            allocations[taskType][layer] / 4,
          );
      },
    ),
    runs(100),
  );
});

test('packs recorded as snapshots move the shares of the next, and then they stay', async () => {
  const records = Array.from({ length: 40 }, (_, index) => record(`f${index}.ts`, 1000));
  const snapshots: Snapshot[] = [];
  const shares: number[] = [];
  for (let round = 0; round < 15; round++) {
    const packed = await pack({ records, snapshots }, { budget: 10_000, taskType: 'Debugging' });
    shares.push(packed.layers.semantic.budget);
    snapshots.push({ taskType: 'Debugging', budgetTokens: packed.budgetTokens, layers: packed.layers });
  }
  expect(shares).toEqual([...Array(5).fill(3000), ...Array(10).fill(3700)]);
});
