// The catalogue of edits that want points without an improvement, and of improvements that must be seen.

import { describe, expect, test } from 'vitest';
import { comparePoints } from '../../../server/src/core/score/comparePoints.ts';
import { scoreTree } from '../../../server/src/core/score/score.ts';
import { base, type Edit, type Tree } from '../../fixtures/gaming/base.ts';
import { hiding } from '../../fixtures/gaming/hiding.ts';
import { honest } from '../../fixtures/gaming/honest.ts';
import { shaping } from '../../fixtures/gaming/shaping.ts';
import { silencing } from '../../fixtures/gaming/silencing.ts';
import { measureTree } from './measureTree.ts';

/** Points are sums of floating-point shares. */
const EXACT = 1e-9;

const before = await measureTree(base);
const points = scoreTree(before.files.values()).total;

async function judge(edit: (tree: Tree) => Tree) {
  const after = await measureTree(edit(base));
  return { alone: scoreTree(after.files.values()).total - points, compared: comparePoints(before, after) };
}

function differs(edit: Edit): void {
  expect(edit.edit(base)).not.toEqual(base);
}

describe.each([['hiding', hiding], ['silencing', silencing], ['shaping', shaping]] as const)('%s gains nothing', (_, edits) => {
  test.each(edits)('$name: $says', async (edit) => {
    differs(edit);
    const { alone, compared } = await judge(edit.edit);
    expect(compared.gain).toBeLessThanOrEqual(EXACT);
    expect(compared.after.total).toBeLessThanOrEqual(scoreTree((await measureTree(edit.edit(base))).files.values()).total + EXACT);
    // What one tree shows is said for each, so that a hole that is closed later is taken note of.
    expect(alone > EXACT).toBe(edit.needsBoth === true);
  });
});

describe('honest work gains', () => {
  test.each(honest)('$name: $says', async (edit) => {
    differs(edit);
    const { alone, compared } = await judge(edit.edit);
    expect(compared.withheld).toEqual([]);
    expect(compared.gain).toBeGreaterThan(EXACT);
    expect(alone).toBeGreaterThan(EXACT);
  });
});

test('the catalogue is as large as it is said to be, and says everything once', () => {
  const all = [...hiding, ...silencing, ...shaping];
  expect(all.length).toBeGreaterThanOrEqual(75);
  expect(new Set(all.map(({ name }) => name)).size).toBe(all.length);
  expect(honest.length).toBeGreaterThanOrEqual(12);
});
