// Every folder in fixtures/recipe of a recipe's folder is a case: before.* with after.* or refused.txt, which
// opportunity is meant, and maybe its tests.

import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { rules } from '../../../server/src/core/analysis/rules.ts';
import { recipes } from '../../../server/src/core/propose/recipes.ts';
import { findRecipeCases, findRecipeFolder } from '../../helpers/ruleFolders.ts';
import { runRecipe, type Marker } from './recipeCase.ts';

type Write = (text: string) => string;
const windows: Write = (text) => text.replaceAll('\n', '\r\n');
const marked: Write = (text) => `\uFEFF${text}`;
const unfinished: Write = (text) => text.replace(/\n$/, '');
const tabbed: Write = (text) => text.replace(/^(?: {2})+/gm, (blanks) => '\t'.repeat(blanks.length / 2));

/** The same case written otherwise must come out the same, written otherwise. */
const writings: Readonly<Record<string, Write>> = {
  'as it is': (text) => text,
  'with CRLF': windows,
  'with a byte-order mark': marked,
  'without a final line break': unfinished,
  'with tabs': tabbed,
  'with all of that': (text) => marked(windows(unfinished(tabbed(text)))),
};
/** Where each case asks the type checker, the ends of the range do. */
const few = ['as it is', 'with all of that'];
const asksTypes = new Set([
  'exact-types',
  'add-cause',
  'modern-call',
  'extract-function',
  'merge-copies',
  'remove-copy',
  'keyed-lookup',
  'parallel-awaits',
  'remove-await',
  'simplify-boolean',
  'optional-chain',
  'nullish-coalescing',
  'for-of',
  'template-string',
]);
/** Without the DOM, whose declarations take most of the time. */
const project = {
  'tsconfig.json':
    '{ "compilerOptions": { "strict": true, "target": "esnext", "module": "esnext", "moduleResolution": "bundler", "allowImportingTsExtensions": true, "jsx": "preserve", "lib": ["esnext"] } }',
};

/** What needs another file to do anything has its cases in severalFiles.test.ts. */
const severalFiles = new Set(['deduplicate']);

/** Named after its rules, too, so that the tests of a rule can be run alone. */
const tried = recipes
  .filter(({ id }) => !severalFiles.has(id))
  .map(({ id, title }) => ({
    id,
    title,
    rules: rules.flatMap((rule) => (rule.recipe === id ? [rule.id] : [])).join(' '),
  }));

describe.each(tried)('$id for $rules', ({ id, title }) => {
  const fixtures = findRecipeCases(id);
  const cases = readdirSync(fixtures).sort();

  test('has cases that change and cases that refuse, and a page', () => {
    expect(cases.filter((name) => existsSync(join(fixtures, name, 'refused.txt'))).length).toBeGreaterThan(3);
    expect(cases.filter((name) => !existsSync(join(fixtures, name, 'refused.txt'))).length).toBeGreaterThan(3);
    expect(readFileSync(join(findRecipeFolder(id), 'recipe.md'), 'utf8')).toContain(`# ${title}`);
  });

  test.each(
    cases.flatMap((name) => (asksTypes.has(id) ? few : Object.keys(writings)).map((writing) => ({ name, writing }))),
  )('$name, $writing', ({ name, writing }) => {
    const write = writings[writing]!;
    const folder = join(fixtures, name);
    const file = readdirSync(folder).find((entry) => entry.startsWith('before.'))!;
    const read = (entry: string) => readFileSync(join(folder, entry), 'utf8');
    const marker = JSON.parse(read('opportunity.json')) as Marker;
    const path = file.replace('before', 'src/file');
    const tests: Record<string, string> = existsSync(join(folder, 'tests.txt'))
      ? { 'src/file.test.ts': read('tests.txt') }
      : {};
    const outcome = runRecipe(id, path, write(read(file)), marker, {
      ...(id === 'extract-function' ? {} : project),
      ...tests,
    });
    if (existsSync(join(folder, 'refused.txt')))
      expect(outcome).toEqual({ refused: expect.stringContaining(read('refused.txt').trim()) });
    else expect(outcome).toEqual({ after: write(read(file.replace('before', 'after'))) });
  });
});
