// The index of names is kept for each chunk store, so that sessions do not displace the index of one another.

import { expect, test } from 'vitest';
import { nameIndexOf } from '../../../server/src/core/index/search/nameIndex.ts';
import type { FileRecord } from '../../../server/src/core/ports/catalogue.ts';

const recordsOf = (...paths: string[]) => paths.map((path) => ({ path, symbols: [] }) as unknown as FileRecord);

test('two stores that are asked in turn keep their indexes', () => {
  const [one, other] = [{}, {}];
  const [records, others] = [recordsOf('src/a.ts'), recordsOf('src/b.ts')];
  const index = nameIndexOf(one, records);
  expect([...nameIndexOf(other, others).byPath.keys()]).toEqual(['src/b.ts']);
  expect(nameIndexOf(one, [...records])).toBe(index);
});

test('another record makes another index', () => {
  const store = {};
  nameIndexOf(store, recordsOf('src/a.ts'));
  expect([...nameIndexOf(store, recordsOf('src/c.ts')).byPath.keys()]).toEqual(['src/c.ts']);
});
