// A commit after a kept change is compared with it: undone, written differently, or about something else.

import { expect, test } from 'vitest';
import { findLaterEdit } from '../../../server/src/core/session/learn/findLaterEdit.ts';

const text = (body: string, tail = '') =>
  `export function half(value) {\n${body}}\n\nexport const names = ['a', 'b'];\n\nexport function other() {\n  return 1;\n}\n${tail}`;
const before = text('  if (value > 0) {\n    return value / 2;\n  } else {\n    return 0;\n  }\n');
const after = text('  if (value > 0) {\n    return value / 2;\n  }\n  return 0;\n');
const kept = { before, after };

test('the old lines are back: it is undone, also beside other edits', () => {
  expect(findLaterEdit(kept, after, before)).toMatchObject({ isUndone: true });
  const elsewhere = (all: string) => all.replace("['a', 'b']", "['a']");
  expect(findLaterEdit(kept, after, elsewhere(before))).toMatchObject({ isUndone: true });
});

test('the lines of the change are written differently: the diff shows how', () => {
  const ternary = after.replace('  }\n  return 0;', '  }\n  return -0;');
  expect(findLaterEdit(kept, after, ternary)).toEqual({ isUndone: false, diff: '-  return 0;\n+  return -0;' });
});

test.each([
  ['nothing changed', after],
  ['another function', after.replace('return 1', 'return 2')],
  ['lines behind it', `${after}// More\n`],
  ['only removed', after.replace('  return 0;\n', '')],
  ['only a bracket', after.replace('  }\n  return 0;', '  } //\n  return 0;')],
  ['moved to the left', after.replace(/^ {2}/gm, '    ')],
  [
    'wrapped by a formatter',
    after.replace('return value / 2;', 'return (\n      value / 2\n    );').replace('  return 0;', '  return 0;'),
  ],
  ['moved elsewhere', after.replace('  return 0;\n', '').replace('return 1', 'return 0')],
  ['the whole file rewritten', Array.from({ length: 60 }, (_, at) => `export const n${at} = ${at};\n`).join('')],
])('%s says nothing about the change', (_name, later) => {
  expect(findLaterEdit(kept, after, later)).toBeNull();
});

test('a commit on a tree without the change says nothing about it', () => {
  expect(findLaterEdit(kept, before, after)).toBeNull();
  expect(findLaterEdit(kept, before, before.replace('return 0', 'return 1'))).toBeNull();
});

test('a change that only removed lines can be undone, and a new file can be rewritten', () => {
  const removal = { before, after: before.replace("export const names = ['a', 'b'];\n\n", '') };
  expect(findLaterEdit(removal, removal.after, before)).toMatchObject({ isUndone: true });
  const file = { before: null, after: "test('half', () => {\n  expect(half(2)).toBe(1);\n});\n" };
  expect(findLaterEdit(file, file.after, file.after.replace('toBe(1)', 'toEqual(1)'))).toMatchObject({
    isUndone: false,
  });
  expect(findLaterEdit(file, file.after, `${file.after}\ntest('more', () => {});\n`)).toBeNull();
});
