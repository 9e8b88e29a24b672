// Which hunks can be applied without the others.

import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { findIndependentHunks, groupHunks, requireWholeGroups } from '../../../server/src/core/propose/hunkGroups.ts';
import { createHunks } from '../../../server/src/core/propose/hunks.ts';
import { findRecipeCases } from '../../helpers/ruleFolders.ts';

const filler = Array.from({ length: 6 }, (_, line) => `step(${line});\n`).join('');

test('a call and the function that it needs belong together', () => {
  const folder = join(findRecipeCases('extract-function'), 'comment-goes-along');
  const edit = {
    path: 'a.ts',
    before: readFileSync(join(folder, 'before.ts'), 'utf8'),
    after: readFileSync(join(folder, 'after.ts'), 'utf8'),
  };
  expect(createHunks([edit]).length).toBeGreaterThan(1);
  expect([...findIndependentHunks([edit])]).toEqual([]);
});

test.each([
  ['the same fix in two places', 'a == b;\n', 'c == d;\n', 'a === b;\n', 'c === d;\n', [0, 1]],
  [
    'a loop each, with a variable of its own',
    'go(a[i]);\n',
    'stop(b[i]);\n',
    'for (const item of a) go(item);\n',
    'for (const item of b) stop(item);\n',
    [0, 1],
  ],
  ['a rename', 'const total = sum(a);\n', 'show(total);\n', 'const totals = sum(a);\n', 'show(totals);\n', []],
  ['an import and all that used it', 'import { round } from "m";\n', 'round(1);\n', '', '', []],
  ['two unused names', 'import { round } from "m";\n', 'import { floor } from "m";\n', '', '', [0, 1]],
  ['lines that move', 'const total = compute(a, b);\n', '', '', 'const total = compute(a, b);\n', []],
  ['two sentences', '// One.\n', '// Two.\n', '// The first sentence.\n', '// The second sentence.\n', [0, 1]],
])('%s', (_, one, other, oneAfter, otherAfter, alone) => {
  const edit = { path: 'a.ts', before: one + filler + other, after: oneAfter + filler + otherAfter };
  expect([...findIndependentHunks([edit])]).toEqual(alone);
});

test('what one file declares and another uses belongs together; the rest of either stands alone', () => {
  const edits = [
    { path: 'a.ts', before: filler, after: `export const limit = 3;\n${filler}done();\n` },
    { path: 'b.ts', before: filler, after: `import { limit } from './a.ts';\n${filler}` },
  ];
  expect([...findIndependentHunks(edits)]).toEqual([1]);
});

test('an import that two files drop is an edit each; a renamed export is one with all that import it', () => {
  const file = (path: string, before: string, after: string) => ({
    path,
    before: before + filler,
    after: after + filler,
  });
  const drops = ['a.ts', 'b.ts'].map((path) =>
    file(path, 'import { clamp, round } from "m";\n', 'import { clamp } from "m";\n'),
  );
  expect(groupHunks(drops)).toEqual([[0], [1]]);
  const renames = [
    file('a.ts', 'import { round } from "m";\n', 'import { toWhole } from "m";\n'),
    file('b.ts', 'import { round } from "m";\n', 'import { toWhole } from "m";\n'),
    file('m.ts', 'export function round() {}\n', 'export function toWhole() {}\n'),
  ];
  expect(groupHunks(renames)).toEqual([[0, 1, 2]]);
});

test('a choice that leaves a needed hunk behind says which', () => {
  const before = `const total = sum(a);\n${filler}show(total);\n${filler}a == b;\n`;
  const after = `const totals = sum(a);\n${filler}show(totals);\n${filler}a === b;\n`;
  const edits = [{ path: 'a.ts', before, after }];
  expect(groupHunks(edits)).toEqual([[0, 1], [2]]);
  expect(() => requireWholeGroups(edits, [1, 2])).toThrow('The chosen hunks need hunk 0 as well.');
  expect(() => requireWholeGroups(edits, [0, 1])).not.toThrow();
  expect(() => requireWholeGroups(edits, [2])).not.toThrow();
});
