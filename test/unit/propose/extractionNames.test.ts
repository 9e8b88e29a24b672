// Where the verb of an extracted function comes from: the file, then its folder, never from nowhere.

import { expect, test } from 'vitest';
import { memoryTree, opportunityAt } from './recipeCase.ts';
import { applyRecipe } from '../../../server/src/core/propose/applyRecipe.ts';

const SOURCE = `export function history(names: string[], wide: boolean): string {
  const branches: string[] = [];
  for (const name of names) {
    if (name.startsWith('#')) {
      if (wide) branches.push(name);
    } else if (name.length > 3) {
      branches.push(name.slice(3));
    }
  }
  for (const name of names) {
    if (wide && name.length > 80) {
      for (const other of branches) {
        if (other === name) return other;
      }
    }
  }
  return names.join() + branches.length;
}
`;
const gathers = 'export function gatherTags(text: string): string[] {\n  return text.split(",");\n}\n';
const collects =
  'export function collectWords(text: string): Set<string> {\n  return new Set(text.split(" "));\n}\n' +
  'export const collectLinks = (text: string): string[] => {\n  return text.split(" ");\n};\n';
const counts = 'export function countTags(text: string): number {\n  return text.length;\n}\n';

test.each([
  ['of the file', SOURCE + gathers, {}, 'Extract gatherBranches from history'],
  [
    'of the file rather than of the folder',
    SOURCE + gathers,
    { 'src/links.ts': collects },
    'Extract gatherBranches from history',
  ],
  [
    'of the folder where the file has none',
    SOURCE,
    { 'src/links.ts': collects },
    'Extract collectBranches from history',
  ],
])('the verb is one %s', (_, text, others, title) => {
  expect(extracted(text, others)).toContain(title);
});

test.each([
  ['nobody has one', SOURCE, {}],
  ['functions beside it make another kind of value', SOURCE + counts, { 'src/counts.ts': counts }],
  ['one function alone of the folder has one', SOURCE, { 'src/links.ts': gathers }],
  ['it is used in another folder only', SOURCE, { 'lib/links.ts': collects }],
  [
    'it stands in a declaration file',
    SOURCE,
    { 'src/links.d.ts': 'export declare function collectLinks(): string[];' },
  ],
])('there is no name where %s', (_, text, others) => {
  expect(extracted(text, others)).toBe('No part of the function that could move has a telling name.');
});

function extracted(text: string, others: Readonly<Record<string, string>>): string {
  const opportunity = opportunityAt('extract-function', 'src/a.ts', text, { line: 1, endLine: 19, symbol: 'history' });
  const applied = applyRecipe(opportunity, memoryTree({ ...others, 'src/a.ts': text }));
  return 'refused' in applied ? applied.refused : applied.title;
}
