// One recipe on several places of a file as one change.

import { expect, test } from 'vitest';
import { analyseSource } from '../../../server/src/core/analysis/analyse.ts';
import type { Opportunity } from '../../../server/src/core/model.ts';
import { alikeAround } from '../../../server/src/core/propose/alike.ts';
import { memoryTree } from './recipeCase.ts';

const path = 'src/links.ts';
const analyse = (text: string): Opportunity[] => analyseSource({ path, text, language: 'typescript', tree: null, symbols: null, generated: false }).opportunities;

function alike(text: string, rule: string, wanted?: (found: readonly Opportunity[]) => readonly Opportunity[]) {
  const found = analyse(text).filter((one) => one.rule === rule);
  const [first, ...rest] = found;
  if (!first) throw new Error(`No ${rule}.`);
  return alikeAround(first, (wanted?.(rest) ?? rest).map(({ id }) => id), memoryTree({ [path]: text }), analyse);
}

const links = `export function links(name: string, id: number): string[] {
  const style = \`\${name}\`;
  return [style, '/docs/' + name + '/', '/docs/' + id + '#top'];
}

// Says where it is.
export function place(name: string): string {
  return 'at ' + name + '.';
}

// Says who it is.
export function person(name: string): string {
  return 'by ' + name + '.';
}

/** Says nothing. */
export function nobody(): string {
  return '';
}
`;

test('all places that the recipe mends, in one edit, and nothing else', () => {
  const outcome = alike(links, 'string-concat');
  if ('refused' in outcome) throw new Error(outcome.refused);
  expect(outcome.opportunities).toHaveLength(4);
  expect(new Set(outcome.opportunities).size).toBe(4);
  expect(outcome.title).toMatch(/, and 3 more in links\.ts$/);
  expect(outcome.edits).toEqual([{ path, before: links, after: links.replace("'/docs/' + name + '/'", '`/docs/${name}/`').replace("'/docs/' + id + '#top'", '`/docs/${id}#top`').replace("'at ' + name + '.'", '`at ${name}.`').replace("'by ' + name + '.'", '`by ${name}.`') }]);
});

test('only those that are wanted: one that was refused or dismissed stays', () => {
  const outcome = alike(links, 'string-concat', (rest) => rest.filter(({ symbol }) => symbol === 'place'));
  if ('refused' in outcome) throw new Error(outcome.refused);
  expect(outcome.opportunities).toHaveLength(2);
  expect(outcome.edits[0]!.after).toContain("'by ' + name + '.'");
  expect(outcome.edits[0]!.after).toContain('`at ${name}.`');
});

test('comments of several exports', () => {
  const outcome = alike(links, 'undocumented-export');
  if ('refused' in outcome) throw new Error(outcome.refused);
  expect(outcome.edits[0]!.after).toContain('/** Says where it is. */\nexport function place');
  expect(outcome.edits[0]!.after).toContain('/** Says who it is. */\nexport function person');
});

test('alone, or a change that a person names: none', () => {
  expect(alike(links, 'string-concat', () => [])).toEqual({ refused: 'Nothing else in the file is like it.' });
});

test('at most ten at a time', () => {
  const many = `export const style = (name: string): string => \`\${name}\`;\n${Array.from({ length: 14 }, (_, at) => `export const text${at} = (name: string): string => 'the ${at} ' + name + '.';\n`).join('')}`;
  const outcome = alike(many, 'string-concat');
  if ('refused' in outcome) throw new Error(outcome.refused);
  expect(outcome.opportunities).toHaveLength(10);
});
