// The index of names is kept for each chunk store, so that sessions do not displace the index of one another.

import { expect, test } from 'vitest';
import { getNameIndex } from '../../../server/src/core/index/search/nameIndex.ts';
import type { FileRecord } from '../../../server/src/core/ports/catalogue.ts';
import { createPart } from '../../helpers/createPart.ts';

const recordsOf = (...paths: string[]) => paths.map((path) => createPart<FileRecord>({ path, symbols: [] }));

test('two stores that are asked in turn keep their indexes', () => {
  const [one, other] = [{}, {}];
  const [records, others] = [recordsOf('src/a.ts'), recordsOf('src/b.ts')];
  const index = getNameIndex(one, records);
  expect([...getNameIndex(other, others).byPath.keys()]).toEqual(['src/b.ts']);
  expect(getNameIndex(one, [...records])).toBe(index);
});

test('another record makes another index', () => {
  const store = {};
  getNameIndex(store, recordsOf('src/a.ts'));
  expect([...getNameIndex(store, recordsOf('src/c.ts')).byPath.keys()]).toEqual(['src/c.ts']);
});
