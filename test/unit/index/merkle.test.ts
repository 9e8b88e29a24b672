// Hashes of folders.

import fc from 'fast-check';
import { expect, test } from 'vitest';
import { computeFolderHashes } from '../../../server/src/core/index/merkle.ts';
import { runs } from '../../helpers/properties.ts';

/** Folders whose hashes differ. */
const changedFolders = (before: ReadonlyMap<string, string>, after: ReadonlyMap<string, string>) =>
  [...new Set([...before.keys(), ...after.keys()])].filter((folder) => before.get(folder) !== after.get(folder)).sort();
const files = (content: Record<string, string>) => Object.entries(content).map(([path, hash]) => ({ path, hash }));

test('every folder above a file has a hash, and only those above a difference change', () => {
  const before = computeFolderHashes(files({ 'a.ts': '1', 'x/y/z/b.ts': '2', 'x/c.ts': '3', 'other/d.ts': '4' }));
  expect([...before.keys()].sort()).toEqual(['', 'other', 'x', 'x/y', 'x/y/z']);
  const after = computeFolderHashes(files({ 'a.ts': '1', 'x/y/z/b.ts': 'new', 'x/c.ts': '3', 'other/d.ts': '4' }));
  expect(changedFolders(before, after)).toEqual(['', 'x', 'x/y', 'x/y/z']);
  expect(changedFolders(before, before)).toEqual([]);
  expect(computeFolderHashes([]).size).toBe(0);
  expect(changedFolders(new Map(), before)).toEqual(['', 'other', 'x', 'x/y', 'x/y/z']);
});

test('a rename, a move and a file that becomes a folder are differences', () => {
  const root = (content: Record<string, string>) => computeFolderHashes(files(content)).get('');
  const trees: Record<string, string>[] = [
    { a: '1' },
    { b: '1' },
    { 'a/a': '1' },
    { 'a/b': '1' },
    { a: '1', b: '1' },
    { a: '11' },
  ];
  const roots = trees.map(root);
  expect(new Set(roots).size).toBe(roots.length);
});

test('order does not matter, and any change of one file reaches the root', () => {
  const path = fc
    .array(fc.constantFrom('a', 'b', 'c'), { minLength: 1, maxLength: 4 })
    .map((parts) => `${parts.join('/')}.ts`);
  fc.assert(
    fc.property(
      fc.uniqueArray(fc.tuple(path, fc.string()), { minLength: 1, maxLength: 12, selector: ([name]) => name }),
      fc.nat(),
      (entries, at) => {
        const list = entries.map(([name, hash]) => ({ path: name, hash }));
        expect(computeFolderHashes(list.toReversed())).toEqual(computeFolderHashes(list));
        const changed = list.map((file, index) =>
          index === at % list.length ? { ...file, hash: `${file.hash}!` } : file,
        );
        const folders = changedFolders(computeFolderHashes(list), computeFolderHashes(changed));
        const touched = list[at % list.length]!.path.split('/').slice(0, -1);
        expect(folders).toEqual(['', ...touched.map((_, depth) => touched.slice(0, depth + 1).join('/'))].sort());
      },
    ),
    runs(100),
  );
});
