// A commit after a kept change is compared with it: undone, written differently, or about something else.

import { expect, test } from 'vitest';
import { findLaterEdit, containsWholeChange } from '../../../server/src/core/session/learn/findLaterEdit.ts';

const text = (body: string) =>
  `export function first(values) {\n${body}}\n\nexport const names = ['a', 'b'];\n\nexport function other() {\n  return 1;\n}\n`;
const before = text('  let found = values.filter(isGood)[0];\n  return found;\n');
const after = text('  const found = values.find(isGood);\n  return found;\n');
const kept = { before, after };

test('exactly the old text is back: it is undone', () => {
  expect(findLaterEdit(kept, after, before)).toMatchObject({ isUndone: true });
  const elsewhere = (all: string) => all.replace("['a', 'b']", "['a']");
  expect(findLaterEdit(kept, elsewhere(after), elsewhere(before))).toMatchObject({ isUndone: true });
  const withReturns = (all: string) => all.replaceAll('\n', '\r\n');
  const inWindows = { before: withReturns(before), after: withReturns(after) };
  expect(findLaterEdit(inWindows, after, before)).toMatchObject({ isUndone: true });
});

test('what the change introduced is written differently: the diff shows how', () => {
  const loop = after.replace('const found = values.find(isGood);', 'let found = firstOf(values, isGood);');
  expect(findLaterEdit(kept, after, loop)).toEqual({
    isUndone: false,
    diff: '-  const found = values.find(isGood);\n+  let found = firstOf(values, isGood);',
  });
});

test.each([
  ['nothing changed', after],
  ['another function', after.replace('return 1', 'return 2')],
  ['lines behind it', `${after}// More\n`],
  ['the line is only removed', after.replace('  const found = values.find(isGood);\n', '')],
  ['more on the same line', after.replace('find(isGood)', 'find(isGood) ?? null')],
  ['other indentation', after.replace(/^ {2}/gm, '    ')],
  ['other quotes and no semicolons', after.replaceAll("'", '"').replaceAll(';', '')],
  ['wrapped by a formatter', after.replace('values.find(isGood)', 'values.find(\n    isGood,\n  )')],
  ['another name', after.replaceAll('found', 'match')],
  ['moved elsewhere', after.replace('  const found = values.find(isGood);\n', '').replace('return 1', 'return 0')],
  ['undone, and more done', before.replace('return 1', 'return 2')],
  [
    'written differently, and more done',
    after.replace('const found = values.find', 'let found = pick').replace('return 1', 'return 2'),
  ],
  ['the whole file rewritten', Array.from({ length: 60 }, (_, at) => `export const n${at} = ${at};\n`).join('')],
])('%s says nothing about the change', (_name, later) => {
  expect(findLaterEdit(kept, after, later)).toBeNull();
});

test('a commit on a tree without the change says nothing about it', () => {
  expect(findLaterEdit(kept, before, after)).toBeNull();
  expect(findLaterEdit(kept, before, before.replace('return 1', 'return 2'))).toBeNull();
  expect([containsWholeChange(kept, after), containsWholeChange(kept, before)]).toEqual([true, false]);
});

test('a removal can be undone; an import that new code needs again is no undoing', () => {
  const removed = { before: `import { a } from './a.js';\n${before}`, after: before };
  expect(findLaterEdit(removed, removed.after, removed.before)).toMatchObject({ isUndone: true });
  expect(findLaterEdit(removed, removed.after, `${removed.before}export const b = a;\n`)).toBeNull();
});

test('the lines of a new file can be written differently', () => {
  const file = { before: null, after: "test('first', () => {\n  expect(first([1])).toBe(1);\n});\n" };
  const later = "test('first', () => {\n  assert.equal(first([1]), 1);\n});\n";
  expect(findLaterEdit(file, file.after, later)).toBeNull();
  expect(findLaterEdit(file, file.after, "it('gives one', () => {\n  assert.equal(one(), 1);\n});\n")).toMatchObject({
    isUndone: false,
  });
});
