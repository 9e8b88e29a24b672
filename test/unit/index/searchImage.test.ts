// The index in memory as bytes: what is read back answers like what was written, goes on like it, and nothing but the
// very same is taken.

import { describe, expect, test } from 'vitest';
import { createSearcher } from '../../../server/src/core/index/search/createSearcher.ts';
import { computeContentIdentity } from '../../../server/src/core/index/search/image.ts';
import type { Searcher } from '../../../server/src/core/index/search/searcher.ts';
import { searchedFile } from './searchedFiles.ts';
import type { FileRecord } from '../../../server/src/core/ports/catalogue.ts';
import type { TermTable } from '../../../server/src/core/ports/search.ts';

const words = [
  'parse',
  'url',
  'request',
  'retry',
  'clock',
  'config',
  'server',
  'limit',
  'naïve',
  '日本',
  'cache',
  'token',
];
const wordAt = (at: number) => words[(at * 7 + (at >> 2)) % words.length]!;
/** Every word points a way of its own. */
const table: TermTable = {
  profile: 'test-table',
  dimensions: 20,
  row: (term) => words.indexOf(term),
  rowsOf: (terms) => Int32Array.from(terms.split(' '), (term) => words.indexOf(term)),
  sum: (rows, weights, count) =>
    Float32Array.from({ length: 20 }, (_, at) =>
      Array.from({ length: count }, (__, index) => (rows[index] === at ? weights[index]! : 0.01)).reduce(
        (sum, value) => sum + value,
        0,
      ),
    ),
};
const vector = (at: number) => Float32Array.from({ length: 5 }, (_, index) => Math.sin(at + index));
const files = Array.from({ length: 1_200 }, (_, at) =>
  searchedFile(
    `src/${wordAt(at)}/file${at}.ts`,
    `def ${wordAt(at)}${wordAt(at + 1)}\n${wordAt(at)} ${wordAt(at + 3).repeat(at % 3)} ${`${wordAt(at + 5)} `.repeat(at % 50)}\n`,
    { vector: () => vector(at) },
  ),
);
const records = new Map(files.map(({ record }) => [record.path, record]));
const recordOf = (path: string, identity: string): FileRecord | null => {
  const record = records.get(path);
  return record && computeContentIdentity(record) === identity ? record : null;
};
const questions = ['parse url', 'where is the request retried', 'configServer', 'naïve 日本', 'limit'];

function full(): Searcher {
  const searcher = createSearcher({ table });
  searcher.put([...files, searchedFile('gone.ts', 'def gone\nvanishing words\n')]);
  searcher.remove(['gone.ts']);
  searcher.setSignals({ commits: [], activity: new Map([[files[3]!.record.path, 4]]), ownVendors: null });
  return searcher;
}

function answers(searcher: Searcher): unknown {
  return questions.map((text, at) => searcher.search({ text, vector: vector(at), top: 20 }));
}

describe('an image', () => {
  const searcher = full();
  const image = searcher.exportImage({ profile: 'p', treeHash: 't' });
  const expected = answers(searcher);

  test('answers as the index that it was made of, and goes on as that does', () => {
    const loaded = createSearcher({ table });
    expect(loaded.importImage(image, 'p', recordOf)).toEqual({ treeHash: 't', paths: [...records.keys()] });
    expect(answers(loaded)).toEqual(expected);
    const extra = searchedFile('src/new.ts', 'def parseUrl\nurl retry clock\n', { vector: () => vector(2) });
    const both = [loaded, full()];
    for (const each of both) {
      each.put([extra]);
      each.remove([files[0]!.record.path]);
      each.put([files[1]!]);
    }
    expect(answers(both[0]!)).toEqual(answers(both[1]!));
    expect(loaded.exportImage({ profile: 'p', treeHash: 'u' }).length).toBeGreaterThan(1_000);
  });

  test('written by a loaded index it is the same to the byte', () => {
    const loaded = createSearcher({ table });
    loaded.importImage(image, 'p', recordOf);
    expect(Buffer.from(loaded.exportImage({ profile: 'p', treeHash: 't' })).equals(image)).toBe(true);
  });

  test('leaves out files that are gone, and those of which something else is known now', () => {
    const loaded = createSearcher({ table });
    const [changed, gone] = [files[5]!.record, files[6]!.record];
    const now = new Map(records).set(changed.path, { ...changed, trouble: 'parse failed' });
    now.delete(gone.path);
    const found = loaded.importImage(image, 'p', (path, identity) =>
      now.has(path) && computeContentIdentity(now.get(path)!) === identity ? now.get(path)! : null,
    );
    expect(found?.treeHash).toBeNull();
    expect(loaded.fileCount).toBe(files.length - 2);
    expect(found?.paths).not.toContain(gone.path);
    for (const text of questions)
      expect(loaded.search({ text, vector: null, top: 2_000 }).map(({ path }) => path)).not.toContain(changed.path);
  });

  test.each<[string, () => Searcher | null]>([
    ['another profile', () => null],
    ['another table', () => createSearcher({ table: { ...table, profile: 'another' } })],
    ['no table', () => createSearcher({ table: null })],
  ])('of %s is not taken', (_name, make) => {
    const loaded = make() ?? createSearcher({ table });
    expect(loaded.importImage(image, make() ? 'p' : 'q', recordOf)).toBeNull();
    expect([loaded.fileCount, loaded.chunkCount]).toEqual([0, 0]);
  });

  test('with any byte changed, cut off or added is not taken', () => {
    const loaded = createSearcher({ table });
    for (const at of [0, 31, 32, 36, 40, 200, image.length >> 1, image.length - 1]) {
      const damaged = Uint8Array.from(image);
      damaged[at]! ^= 1;
      expect(loaded.importImage(damaged, 'p', recordOf)).toBeNull();
    }
    for (const bytes of [
      new Uint8Array(),
      image.subarray(0, 35),
      image.subarray(0, image.length - 1),
      Uint8Array.from([...image.subarray(0, 100), 1]),
    ])
      expect(loaded.importImage(bytes, 'p', recordOf)).toBeNull();
    expect(loaded.fileCount).toBe(0);
  });
});
