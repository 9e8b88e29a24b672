// Titles are imperative sentences that name their place, as the subjects of commits do: every recipe, on every fixture
// that it changes.

import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { applyRecipe } from '../../../server/src/core/propose/applyRecipe.ts';
import { recipes } from '../../../server/src/core/propose/recipes.ts';
import { joinTitles, createTitle } from '../../../server/src/core/propose/titles.ts';
import { findRecipeCases } from '../../helpers/ruleFolders.ts';
import { memoryTree, opportunityAt, type Marker } from './recipeCase.ts';

const project = {
  'tsconfig.json':
    '{ "compilerOptions": { "strict": true, "target": "esnext", "module": "esnext", "lib": ["esnext"] } }',
};
/** These find their place by the name of the symbol. */
const bySymbol = new Set(['doc-comment', 'document-from-evidence']);
/** The longest subject of a commit that tools show without cutting it. */
const MAX_LENGTH = 72;

/** What needs another file to do anything has its cases in severalFiles.test.ts. */
describe.each(recipes.filter(({ id }) => id !== 'deduplicate').map(({ id }) => ({ id })))('$id', ({ id }) => {
  const fixtures = findRecipeCases(id);
  const cases = readdirSync(fixtures).filter((name) => !existsSync(join(fixtures, name, 'refused.txt')));

  test('is an imperative sentence that names its place', () => {
    const titles = cases.map((name) => titleIn(join(fixtures, name), id));
    expect(titles.length).toBeGreaterThan(3);
    for (const title of titles) {
      expect(title).toMatch(/^(?!The |It |This )[A-Z][a-z]+ \S/);
      expect(title).not.toMatch(/[\n.:]$|\n|: |at line/);
      expect(title.length, title).toBeLessThanOrEqual(MAX_LENGTH);
    }
  });
});

function titleIn(folder: string, recipe: string): string {
  const file = readdirSync(folder).find((entry) => entry.startsWith('before.'))!;
  const read = (entry: string) => readFileSync(join(folder, entry), 'utf8');
  const path = file.replace('before', 'src/file');
  const tests: Record<string, string> = existsSync(join(folder, 'tests.txt'))
    ? { 'src/file.test.ts': read('tests.txt') }
    : {};
  const marked = opportunityAt(recipe, path, read(file), JSON.parse(read('opportunity.json')) as Marker);
  const opportunity = bySymbol.has(recipe) ? marked : { ...marked, symbol: 'Shop.total' };
  const base: Record<string, string> = recipe === 'extract-function' ? {} : project;
  const applied = applyRecipe(opportunity, memoryTree({ ...base, ...tests, [path]: read(file) }));
  if ('refused' in applied) throw new Error(`${folder}: ${applied.refused}`);
  return applied.title;
}

test.each([
  [{ symbol: 'Shop.total', path: 'src/shop.ts' }, { title: 'remove an else' }, 'Remove an else in total'],
  [{ symbol: null, path: 'src/shop.ts' }, { title: 'remove an else' }, 'Remove an else in shop.ts'],
  [{ symbol: 'Shop.total', path: 'src/shop.ts' }, { title: 'document price', namesPlace: true }, 'Document price'],
])('the place: %#', (place, phrase, expected) => {
  expect(createTitle(place, phrase)).toBe(expected);
});

test('several changes of one symbol name it once', () => {
  expect(
    joinTitles([
      'Flatten a nested if in walk',
      'Remove a needless return in walk',
      'Remove a needless return in walk',
      'Use const for all in step',
      'Document step',
    ]),
  ).toBe('Flatten a nested if; remove a needless return in walk; use const for all in step; document step');
  expect(joinTitles(['Use const for all in walk'])).toBe('Use const for all in walk');
});

test('the title of several removed imports names the file and each import once', () => {
  const text = 'import { describe, it, expect } from "vitest";\ndescribe("a", () => {});\n';
  const opportunity = opportunityAt('remove-unused', 'b/a.bench.ts', text, { line: 1, symbol: 'it' });
  const applied = applyRecipe({ ...opportunity, rule: 'unused-import' }, memoryTree({ 'b/a.bench.ts': text }));
  expect(applied).toMatchObject({ title: 'Remove the unused imports of it and expect in a.bench.ts' });
});
