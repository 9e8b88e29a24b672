// Hunks are what a person picks: picking all gives the change back, and git takes the printed diff.

import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { FileEdit } from '../../../server/src/core/model.ts';
import { runs } from '../../helpers/properties.ts';
import { createHunks, selectHunks } from '../../../server/src/core/propose/hunks.ts';
import { formatUnifiedDiff } from '../../../server/src/core/propose/unifiedDiff.ts';

const edit = (before: string | null, after: string | null, path = 'a.ts'): FileEdit => ({ path, before, after });
const lines = (...of: string[]) => of.map((line) => `${line}\n`).join('');

test('changes with one or two lines between them are one hunk, with three they are two', () => {
  const hunks = createHunks([
    edit(lines('a', 'b', 'c', 'd', 'e', 'f', 'g'), lines('A', 'b', 'C', 'c2', 'd', 'e', 'f', 'G')),
    edit('x\n', '', 'b.ts'),
  ]);
  expect(hunks).toEqual([
    {
      index: 0,
      path: 'a.ts',
      beforeLine: 1,
      beforeCount: 2,
      afterLine: 1,
      afterCount: 3,
      lines: ['-a', '+A', ' b', '-c', '+C', '+c2'],
    },
    { index: 1, path: 'a.ts', beforeLine: 7, beforeCount: 1, afterLine: 8, afterCount: 1, lines: ['-g', '+G'] },
    { index: 2, path: 'b.ts', beforeLine: 1, beforeCount: 1, afterLine: 1, afterCount: 0, lines: ['-x'] },
  ]);
});

test('where a side has no lines, its line is the one behind the place', () => {
  expect(createHunks([edit(lines('a', 'b'), lines('a', 'new', 'b'))])[0]).toMatchObject({
    beforeLine: 2,
    beforeCount: 0,
    afterLine: 2,
    afterCount: 1,
  });
  expect(createHunks([edit(lines('a', 'b'), lines('a'))])[0]).toMatchObject({
    beforeLine: 2,
    beforeCount: 1,
    afterLine: 2,
    afterCount: 0,
  });
});

test('a file that comes or goes is one hunk, even an empty one', () => {
  expect(createHunks([edit(null, ''), edit('a\nb\n', null), edit('same', 'same')])).toMatchObject([
    { afterCount: 0 },
    { beforeCount: 2, afterCount: 0 },
  ]);
});

test('a chosen hunk changes its lines and nothing else, line ends included', () => {
  const mixed = edit('\uFEFFa\r\nb\nc\r\ne\nd', '\uFEFFA\r\nb\nc\r\ne\nD');
  expect(selectHunks([mixed], [1])).toEqual([edit(mixed.before, '\uFEFFa\r\nb\nc\r\ne\nD')]);
  expect(selectHunks([mixed, edit('x', 'y', 'b.ts')], [2])).toEqual([edit('x', 'y', 'b.ts')]);
  expect(selectHunks([mixed], [])).toEqual([]);
  expect(selectHunks([edit(null, 'new')], [0])).toEqual([edit(null, 'new')]);
});

const text = fc
  .array(fc.constantFrom('a\n', 'b\n', 'c\r\n', '\n', '  d\n'), { maxLength: 12 })
  .chain((parts) => fc.constantFrom('', 'end').map((end) => parts.join('') + end));

test('choosing all hunks gives the change, and what is left of a part is the rest', () => {
  fc.assert(
    fc.property(text, text, fc.array(fc.nat(6)), (before, after, picked) => {
      const all = [edit(before, after)];
      const indices = createHunks(all).map(({ index }) => index);
      expect(selectHunks(all, indices)).toEqual(before === after ? [] : all);
      const some = indices.filter((index) => picked.includes(index));
      const [part] = selectHunks(all, some);
      expect(part ? createHunks([part]).flatMap((hunk) => hunk.lines) : []).toEqual(
        createHunks(all)
          .filter(({ index }) => some.includes(index))
          .flatMap((hunk) => hunk.lines),
      );
    }),
    runs(300),
  );
});

test('git applies the printed diff to the byte', () => {
  const folder = mkdtempSync(join(tmpdir(), 'selfware-test-'));
  try {
    execFileSync('git', ['init', '-q'], { cwd: folder });
    const pairs: readonly [string, string][] = [
      [lines(...'abcdefghijklmnop'), lines(...'aBcdefghijkLmnop', 'q')],
      ['a\r\nb\r\nc', 'a\r\nB\r\nc'],
      ['a\nb', 'a\nb\n'],
      ['', 'a\n'],
      ['a\n', ''],
      ['\uFEFFa\n\tb\n', '\uFEFFa\n\tc\n'],
    ];
    for (const [before, after] of pairs) {
      writeFileSync(join(folder, 'a.ts'), before);
      execFileSync('git', ['apply', '-'], { cwd: folder, input: formatUnifiedDiff([edit(before, after)]) });
      expect(readFileSync(join(folder, 'a.ts'), 'utf8')).toBe(after);
    }
    execFileSync('git', ['apply', '-'], {
      cwd: folder,
      input: formatUnifiedDiff([edit(null, 'new\n', 'b.ts'), edit('\uFEFFa\n\tc\n', null)]),
    });
    expect(readFileSync(join(folder, 'b.ts'), 'utf8')).toBe('new\n');
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
});
