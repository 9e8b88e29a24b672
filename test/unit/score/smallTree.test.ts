// A tree with hardly anything in it: what is mended there is a gain, and nothing else is.

import { expect, test } from 'vitest';
import { comparePoints } from '../../../server/src/core/score/comparePoints.ts';
import { ruler } from '../../../server/src/core/score/ruler.ts';
import { scoreTree } from '../../../server/src/core/score/score.ts';
import { measureTree } from './measureTree.ts';

test('what is mended in a tree without a statement is known to be, and a change that mends nothing gains nothing there', async () => {
  const lone = {
    'src/a.ts': "import { join } from 'node:path';\nexport function a(values: number[]) { return values.length; }\n",
  };
  const before = await measureTree(lone);
  expect(comparePoints(before, await measureTree({ 'src/a.ts': `${lone['src/a.ts']}// more\n` })).gain).toBe(0);
  expect(
    comparePoints(before, await measureTree({ 'src/a.ts': lone['src/a.ts'].split('\n').slice(1).join('\n') })).gain,
  ).toBeGreaterThan(0);
});

test('in a small repository one finding does not swing the scale', () => {
  const small = {
    statements: 60,
    'script.statements': 60,
    'checked.statements': 60,
    excess: 0,
    cognitive: 20,
    depth: 10,
    'script.any': 0,
  };
  const swing = (size: number) =>
    scoreTree([{ ...small, 'checked.unused': 0 }, { 'checked.statements': size }]).total -
    scoreTree([{ ...small, 'checked.unused': 2 }, { 'checked.statements': size }]).total;
  expect(swing(0)).toBeGreaterThan(3);
  expect(swing(0)).toBeLessThan(5);
  // As much as in one that has the least size.
  expect(swing(0)).toBeCloseTo(swing(ruler.definition.leastSize - 60), 9);
  expect(swing(ruler.definition.leastSize)).toBeLessThan(swing(0));
});
