// Titles begin with who they are about: what every recipe says of every fixture that it changes can be told apart in
// 300 px.

import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { realise } from '../../../server/src/core/propose/realise.ts';
import { recipes } from '../../../server/src/core/propose/recipes.ts';
import { joinTitles, titleOf } from '../../../server/src/core/propose/titles.ts';
import { recipeCases } from '../../helpers/ruleFolders.ts';
import { memoryTree, opportunityAt, type Marker } from './recipeCase.ts';

const project = {
  'tsconfig.json':
    '{ "compilerOptions": { "strict": true, "target": "esnext", "module": "esnext", "lib": ["esnext"] } }',
};
/** These find their place by the name of the symbol. */
const bySymbol = new Set(['doc-comment', 'document-from-evidence']);
/** What fits into a sidebar of 300 px. */
const SEEN = 38;

/** What needs another file to do anything has its cases in severalFiles.test.ts. */
describe.each(recipes.filter(({ id }) => id !== 'deduplicate').map(({ id }) => ({ id })))('$id', ({ id }) => {
  const fixtures = recipeCases(id);
  const cases = readdirSync(fixtures).filter((name) => !existsSync(join(fixtures, name, 'refused.txt')));

  test('begins with a name and says at once what happens', () => {
    const titles = cases.map((name) => titleIn(join(fixtures, name), id));
    expect(titles.length).toBeGreaterThan(3);
    for (const title of titles) {
      const [head = '', ...rest] = title.split(': ');
      expect(head, title).toMatch(/^[\p{L}\p{N}_$#.@/-]+$/u);
      expect(rest.join(': '), title).toMatch(/^[a-z]+ \S/);
      // A verb and what it is done to.
      expect(title.slice(head.length + 2, Math.max(SEEN, head.length + 16)).split(' ').length, title).toBeGreaterThan(
        1,
      );
      expect(title).not.toContain('\n');
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
  const realised = realise(opportunity, memoryTree({ ...base, ...tests, [path]: read(file) }));
  if ('refused' in realised) throw new Error(`${folder}: ${realised.refused}`);
  return realised.title;
}

test.each([
  [{ symbol: 'Shop.total', path: 'src/shop.ts' }, undefined, 'total: remove the else'],
  [{ symbol: null, path: 'src/shop.ts' }, undefined, 'shop.ts: remove the else'],
  [{ symbol: 'Shop.total', path: 'src/shop.ts' }, 'price', 'price: remove the else'],
])('who it is about: %#', (place, about, expected) => {
  expect(titleOf(place, 'remove the else', about)).toBe(expected);
});

test('several changes of one symbol name it once', () => {
  expect(joinTitles(['walk: flatten a nested if', 'walk: remove a needless return', 'step: use const'])).toBe(
    'walk: flatten a nested if; remove a needless return; step: use const',
  );
  expect(joinTitles(['walk: use const'])).toBe('walk: use const');
});

test('the title of several removed imports names the file and each import once', () => {
  const text = 'import { describe, it, expect } from "vitest";\ndescribe("a", () => {});\n';
  const opportunity = opportunityAt('remove-unused', 'b/a.bench.ts', text, { line: 1, symbol: 'it' });
  const realised = realise({ ...opportunity, rule: 'unused-import' }, memoryTree({ 'b/a.bench.ts': text }));
  expect(realised).toMatchObject({ title: 'a.bench.ts: remove the imports of it and expect, nothing uses them' });
});
