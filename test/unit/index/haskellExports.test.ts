// Which names a Haskell module exports.

import { expect, test } from 'vitest';
import { symbolsOf } from './support.ts';

test.each([
  ['an operator that begins with dashes', 'module A ((-->), foo) where'],
  ['an operator that ends with dashes', 'module A ((|--), foo) where'],
  ['comments in the list', 'module A ( -- bar,\n  {- bar, -} foo --- bar\n  ) where'],
])('%s', async (_, head) => {
  const symbols = await symbolsOf('haskell', `${head}\n\nfoo = 1\n\nbar = 2\n`);
  expect(symbols.map(({ name, exported }) => [name, exported])).toEqual([
    ['foo', true],
    ['bar', false],
  ]);
});
