// What every recipe shares: trouble with the file is a refusal; types come from the project around the file.

import { expect, test } from 'vitest';
import { applyRecipe } from '../../../server/src/core/propose/applyRecipe.ts';
import { memoryTree, opportunityAt, runRecipe } from './recipeCase.ts';

const simple = 'export function f(a: boolean) {\n  if (a) {\n    return 1;\n  } else {\n    return 2;\n  }\n}\n';
const marker = { line: 2, endLine: 6, symbol: 'if' };

test.each([
  ['remove-else', 'a.py', simple, 'TypeScript and JavaScript only'],
  ['remove-else', 'a.d.ts', simple, 'declaration file'],
  ['remove-else', 'a.ts', simple.replace('{', ''), 'does not parse as it is'],
  ['remove-else', 'a.ts', `${simple}// \uFFFD`, 'not valid UTF-8'],
  ['remove-else', 'a.ts', 'a;\n', 'shorter|no longer an if'],
  ['unheard-of', 'a.ts', simple, 'no recipe unheard-of'],
])('%s on %s is refused', (recipe, path, text, reason) => {
  expect(runRecipe(recipe, path, text, marker)).toEqual({ refused: expect.stringMatching(reason) });
});

test('an opportunity without a recipe and a file that is gone are refused', () => {
  const opportunity = opportunityAt('remove-else', 'a.ts', simple, marker);
  expect(applyRecipe({ ...opportunity, recipe: null }, memoryTree({ 'a.ts': simple }))).toEqual({
    refused: expect.stringContaining('No recipe'),
  });
  expect(applyRecipe(opportunity, memoryTree({}))).toEqual({ refused: expect.stringContaining('no longer exists') });
});

test.each(['ts', 'mts', 'cts', 'tsx', 'js', 'mjs', 'cjs', 'jsx'])('.%s is understood', (ending) => {
  const text = ending.includes('ts') ? simple : simple.replace(': boolean', '');
  expect(runRecipe('remove-else', `a.${ending}`, text, marker)).toHaveProperty('after');
});

const user = `import type { Entry } from '#model';
import { isOpen } from './state.js';

export function report(entries: readonly Entry[], strict: boolean): string[] {
  const lines: string[] = [];
  for (const entry of entries) {
    const owner = entry.owner;
    // Check the owner of the entry
    if (owner.name === '') {
      if (strict) {
        throw new Error(entry.id);
      }
      console.warn(owner.name);
    } else if (owner.away && isOpen(entry)) {
      console.warn(owner.name, entry.id);
    }

    if (isOpen(entry) || (strict && entry.id)) {
      lines.push(entry.id);
    }
  }
  return lines;
}
`;
const project = {
  'tsconfig.json': '{ "extends": "./tsconfig.base.json", "include": ["src"] }',
  'tsconfig.base.json':
    '{ // shared\n "compilerOptions": { "strict": true, "target": "es2022", "module": "nodenext", "types": [], "paths": { "#model": ["./src/model.ts"] } } }',
  'src/model.ts':
    'export interface Owner { name: string; away?: boolean }\nexport interface Entry { id: string; owner: Owner; open: boolean }\n',
  'src/state.ts':
    "import type { Entry } from './model.js';\nexport const isOpen = (entry: Entry): boolean => entry.open;\n",
  'src/globals.d.ts': 'declare const console: { warn(...what: unknown[]): void };\n',
};
const whole = { line: 4, endLine: 23, symbol: 'report' };

test('an extracted function has the types of the project', () => {
  const outcome = runRecipe('extract-function', 'src/report.ts', user, whole, project);
  expect(outcome).toHaveProperty('after');
  const after = 'after' in outcome ? outcome.after : '';
  expect(after).toContain(
    '// Check the owner of the entry\nfunction checkEntryOwner(owner: Owner, strict: boolean, entry: Entry): void {\n  if (owner.name',
  );
  expect(after).toContain('    checkEntryOwner(owner, strict, entry);\n\n    if (isOpen(entry)');
  expect(after).toContain("import type { Entry, Owner } from '#model';\n");
  expect(after).not.toMatch(/\bany\b/);
});

test('what the types around do not tell is not guessed', () => {
  const outcome = runRecipe('extract-function', 'src/report.ts', user, whole, { ...project, 'src/model.ts': '' });
  expect(outcome).toHaveProperty('refused');
});

test('plain JavaScript needs no types', () => {
  const text = user
    .replace(/^import.*\n/gm, '')
    .replace(/: (readonly Entry\[\]|boolean|string\[\])/g, '')
    .replaceAll('isOpen(entry)', 'entry.open');
  const outcome = runRecipe('extract-function', 'src/report.js', text, { line: 2, endLine: 21, symbol: 'report' });
  expect('after' in outcome ? outcome.after : outcome).toContain('function checkEntryOwner(owner, strict, entry) {');
});

test('what writes a large part of a file anew is left alone, unless somebody asks for it', () => {
  const body = (lines: number) => `function run(on) {\n  if (on) {\n${'    step();\n'.repeat(lines)}  }\n}\n`;
  const changed = (text: string, asked: boolean) => {
    const opportunity = opportunityAt('guard-clauses', 'a.js', text, { line: 2, symbol: 'if' });
    return !('refused' in applyRecipe(opportunity, memoryTree({ 'a.js': text }), { asked }));
  };
  const rest = '// words\n'.repeat(400);
  expect([body(38), body(60), body(60) + rest, body(110) + rest].map((text) => changed(text, false))).toEqual([
    true,
    false,
    true,
    false,
  ]);
  expect([body(60), body(110) + rest].map((text) => changed(text, true))).toEqual([true, true]);
});
