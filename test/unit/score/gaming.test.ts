// The catalogue of edits that want points without an improvement, and of improvements that must be seen.

import { describe, expect, test } from 'vitest';
import { comparePoints } from '../../../server/src/core/score/comparePoints.ts';
import { ruler } from '../../../server/src/core/score/ruler.ts';
import { scoreTree } from '../../../server/src/core/score/score.ts';
import { base, type Edit, type Tree } from '../../fixtures/gaming/base.ts';
import { hiding } from '../../fixtures/gaming/hiding.ts';
import { honest } from '../../fixtures/gaming/honest.ts';
import { pretexts } from '../../fixtures/gaming/pretexts.ts';
import { shaping } from '../../fixtures/gaming/shaping.ts';
import { silencing } from '../../fixtures/gaming/silencing.ts';
import { measureTree } from './measureTree.ts';

/** Points are sums of floating-point shares. */
const EXACT = 1e-9;

/**
 * Sizes of the rest of a repository that is no tiny one: there, more code around the same trouble makes it less dense.
 */
const rest = Object.fromEntries(
  ruler.definition.inputs.filter(({ kind }) => kind === 'density').map(({ per }) => [per, ruler.definition.leastSize]),
);
const sizes = { tiny: {}, ordinary: { measures: rest } };
const before = { tiny: await measureTree(base, sizes.tiny), ordinary: await measureTree(base, sizes.ordinary) };

async function judge(edit: (tree: Tree) => Tree, size: keyof typeof sizes) {
  const after = await measureTree(edit(base), sizes[size]);
  const points = scoreTree(after.files.values()).total;
  return {
    points,
    alone: points - scoreTree(before[size].files.values()).total,
    compared: comparePoints(before[size], after),
  };
}

function differs(edit: Edit): void {
  expect(edit.edit(base)).not.toEqual(base);
}

describe.each([
  ['hiding', hiding],
  ['silencing', silencing],
  ['shaping', shaping],
  ['pretexts', pretexts],
] as const)('%s gains nothing unasked', (_, edits) => {
  test.each(edits)('$name: $says', async (edit) => {
    differs(edit);
    for (const size of ['tiny', 'ordinary'] as const) {
      const { points, compared } = await judge(edit.edit, size);
      // What no ruler can judge is said for each as well.
      const gains = compared.gain > EXACT;
      expect([size, gains, gains && compared.asks.length > 0]).toEqual([size, edit.asks === true, edit.asks === true]);
      expect(compared.after.total).toBeLessThanOrEqual(points + EXACT);
    }
    // What one tree shows is said for each, so that a hole that is closed later is taken note of.
    expect((await judge(edit.edit, 'ordinary')).alone > EXACT).toBe(edit.needsBoth === true);
  });
});

describe('honest work gains', () => {
  test.each(honest)('$name: $says', async (edit) => {
    differs(edit);
    for (const size of ['tiny', 'ordinary'] as const) {
      const { alone, compared } = await judge(edit.edit, size);
      expect(compared.withheld).toEqual([]);
      expect(compared.gain).toBeGreaterThan(EXACT);
      expect(alone).toBeGreaterThan(EXACT);
    }
  });
});

test('the catalogue is as large as it is said to be, and says everything once', () => {
  const all = [...hiding, ...silencing, ...shaping, ...pretexts];
  expect(all.length).toBeGreaterThanOrEqual(101 + 40);
  expect(new Set(all.map(({ name }) => name)).size).toBe(all.length);
  expect(honest.length).toBeGreaterThanOrEqual(12);
});
