// The cache of texts: what it holds, and what leaves.

import { expect, test } from 'vitest';
import { createCodeCache } from '../../../server/src/core/memory/codeCache.ts';

function cache(capacity: number) {
  const files = new Map([
    ['a', 'aaaa'],
    ['b', 'bbbb'],
    ['c', 'cccc'],
    ['large', 'l'.repeat(50)],
  ]);
  const reads: string[] = [];
  const made = createCodeCache(async (path) => {
    reads.push(path);
    return files.get(path) ?? null;
  }, capacity);
  return { files, reads, ...made };
}

test('the least recently used leaves first', async () => {
  const { read, reads, size } = cache(8);
  for (const path of ['a', 'b', 'a', 'c', 'a', 'b']) await read(path, '1');
  expect(reads).toEqual(['a', 'b', 'c', 'b']);
  expect(size()).toBe(8);
});

test('another hash is read again, and the old text is gone', async () => {
  const { read, reads, files, size } = cache(100);
  await read('a', '1');
  files.set('a', 'changed');
  expect(await read('a', '1')).toBe('aaaa');
  expect(await read('a', '2')).toBe('changed');
  expect(reads).toEqual(['a', 'a']);
  expect(size()).toBe(7);
});

test('what is gone or too large is given, and not held', async () => {
  const { read, size } = cache(10);
  expect(await read('gone', '1')).toBe(null);
  expect(await read('large', '1')).toBe('l'.repeat(50));
  expect(size()).toBe(0);
});

test('two readers of one file at once hold it once', async () => {
  const { read, size } = cache(10);
  expect(await Promise.all([read('a', '1'), read('a', '1')])).toEqual(['aaaa', 'aaaa']);
  expect(size()).toBe(4);
});
