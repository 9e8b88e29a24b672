// What documentation from evidence says counts as documentation, and as none that says nothing.

import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { findRecipeCases } from '../../helpers/ruleFolders.ts';
import { analyseSource } from '../../../server/src/core/analysis/analyse.ts';

const fixtures = findRecipeCases('document-from-evidence');
const changed = readdirSync(fixtures).flatMap((name) =>
  readdirSync(join(fixtures, name))
    .filter((file) => file.startsWith('after.'))
    .map((file) => ({ name, file })),
);

const analysed = (name: string, entry: string) =>
  analyseSource({
    path: entry,
    text: readFileSync(join(fixtures, name, entry), 'utf8'),
    language: entry.endsWith('.js') ? 'javascript' : 'typescript',
    tree: null,
    symbols: null,
    generated: false,
  });

test.each(changed)('$name', ({ name, file }) => {
  const [before, after] = [analysed(name, file.replace('after', 'before')), analysed(name, file)];
  expect(
    after.opportunities.map(({ rule }) => rule).filter((rule) => /vacuous|explained|undocumented/.test(rule)),
  ).toEqual([]);
  expect([before.measures['api.documented'], after.measures['api.documented']]).toEqual([0, 1]);
});

test.each([
  ['values-and-errors', ['unexplained-export']],
  ['documented', []],
  ['condition-of-an-error', []],
])('the rule on %s', (name, expected) => {
  const { opportunities } = analysed(name, 'before.ts');
  expect(opportunities.flatMap(({ rule, recipe }) => (recipe === 'document-from-evidence' ? [rule] : []))).toEqual(
    expected,
  );
});
