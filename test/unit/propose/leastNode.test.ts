// The oldest Node that a package supports.

import { expect, test } from 'vitest';
import { findMinNodeVersion } from '../../../server/src/core/propose/leastNode.ts';
import { memoryTree } from './recipeCase.ts';

test.each([
  ['>=16.9.0', [16, 9]],
  ['^20.3.1 || >=22', [20, 3]],
  ['18.x', [18, 0]],
  ['>= 12', [12, 0]],
  ['>=14 <15 || >=16', [14, 0]],
  ['<20', null],
  ['*', null],
] as const)('%s', (node, least) => {
  const tree = memoryTree({ 'package.json': JSON.stringify({ engines: { node } }), 'src/a.ts': '' });
  expect(findMinNodeVersion(tree, '/repository/src')).toEqual(least);
});

test('the nearest manifest that states one counts, and a damaged one states nothing', () => {
  const tree = memoryTree({
    'package.json': JSON.stringify({ engines: { node: '>=20' } }),
    'packages/a/package.json': '{ "name": "a"',
    'packages/b/package.json': JSON.stringify({ engines: { node: '>=18' } }),
  });
  expect(findMinNodeVersion(tree, '/repository/packages/a')).toEqual([20, 0]);
  expect(findMinNodeVersion(tree, '/repository/packages/b')).toEqual([18, 0]);
});
