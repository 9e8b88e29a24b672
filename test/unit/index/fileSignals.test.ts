// What a query is worth for a file as a whole: by its path, and by the terms of all its chunks.

import { expect, test } from 'vitest';
import { measureChunks } from '../../../server/src/core/index/search/measure.ts';
import { addFile, createRankingIndex } from '../../../server/src/core/index/search/rankingIndex.ts';
import { createScratch } from '../../../server/src/core/index/search/scratch.ts';
import { parseQuery } from '../../../server/src/core/index/search/searchQuery.ts';
import { searchedFile } from './searchedFiles.ts';

const filler = (count: number) => Array.from({ length: count }, (_, at) => `filler${at} unrelated${at}\n`).join('');
const index = createRankingIndex(null);
for (const file of [
  searchedFile('src/answer.ts', 'code\n'),
  searchedFile('src/one.ts', Array.from({ length: 12 }, () => `model\n${filler(50)}`).join('\n')),
  searchedFile('src/both.ts', `model\n${filler(60)}\nsilence\n`),
  ...Array.from({ length: 20 }, (_, at) => searchedFile(`src/other${at}.ts`, at < 8 ? 'silence\n' : 'code\n')),
])
  addFile(index, file);

function bestOf(signal: 'path' | 'coherence', query: string): ReadonlyMap<string, number> {
  const { chunks, signals } = measureChunks(index, parseQuery(query), null, createScratch());
  const best = new Map<string, number>();
  chunks.forEach(({ file: { record } }, row) =>
    best.set(record.path, Math.max(best.get(record.path) ?? 0, signals[signal][row]!)),
  );
  return best;
}

test('a path counts by the share of the query that it matches', () => {
  const share = (query: string) => bestOf('path', query).get('src/answer.ts')!;
  expect(share('answer')).toBe(1);
  expect(share('the model stops sending text in the middle of its answer')).toBeLessThan(0.3);
  expect(share('the model stops sending text in the middle of its answer')).toBeGreaterThan(0);
});

test('a file with all words of the query counts more than one that repeats one of them', () => {
  const values = bestOf('coherence', 'silence of the model');
  expect(values.get('src/both.ts')).toBeGreaterThan(values.get('src/one.ts')!);
});
