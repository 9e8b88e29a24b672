// A tree with hardly anything in it: what is mended there is a gain, and nothing else is.

import { expect, test } from 'vitest';
import { comparePoints } from '../../../server/src/core/score/comparePoints.ts';
import { measureTree } from './measureTree.ts';

test('what is mended in a tree without a statement is known to be, and a change that mends nothing gains nothing there', async () => {
  const lone = { 'src/a.ts': "import { join } from 'node:path';\nexport function a(values: number[]) { return values.length; }\n" };
  const before = await measureTree(lone);
  expect(comparePoints(before, await measureTree({ 'src/a.ts': `${lone['src/a.ts']}// more\n` })).gain).toBe(0);
  expect(comparePoints(before, await measureTree({ 'src/a.ts': lone['src/a.ts'].split('\n').slice(1).join('\n') })).gain).toBeGreaterThan(0);
});
