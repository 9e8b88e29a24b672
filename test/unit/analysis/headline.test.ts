// A message begins with the name of its symbol, once.

import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { prependPlace } from '../../../server/src/core/analysis/headline.ts';
import { findRuleFixtures } from '../../helpers/ruleFolders.ts';
import { analyseSource } from '../../../server/src/core/analysis/analyse.ts';

test.each([
  ['a needless `return`.', { symbol: 'Shop.total', path: 'src/shop.ts' }, '`total`: a needless `return`.'],
  ['1,200 lines of code.', { symbol: null, path: 'src/shop.ts' }, 'shop.ts: 1,200 lines of code.'],
  [
    '`parse` is imported but never read.',
    { symbol: 'Shop', path: 'src/shop.ts' },
    '`parse` is imported but never read.',
  ],
])('%s', (message, place, expected) => {
  expect(prependPlace(message, place)).toBe(expected);
});

test('what is found in a function begins with its name', () => {
  const text = readFileSync(join(findRuleFixtures('else-after-return'), 'found.ts'), 'utf8');
  const { opportunities } = analyseSource({
    path: 'src/found.ts',
    text,
    language: 'typescript',
    tree: null,
    symbols: null,
    generated: false,
  });
  expect(opportunities.length).toBeGreaterThan(0);
  for (const { message } of opportunities) expect(message).toMatch(/^`\w+`/);
});
