// Measures the time of searches and saves in an index of a given size:
// `node --expose-gc test/bench/quality/speed.ts --manifest M --annotations A [--cache C] --chunks N [--table T]
// [--vectors D]`. The index contains copies of the repositories of the manifest, each in another folder.

import { readFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { loadTermTable } from '../../../server/src/adapters/embeddings/staticModel.ts';
import { createSearcher } from '../../../server/src/core/index/search/createSearcher.ts';
import { computeHistorySignals } from '../../../server/src/core/index/search/historySignals.ts';
import type { SearchedFile } from '../../../server/src/core/index/search/searcher.ts';
import { loadCorpus, type CorpusFile, type Repository } from './corpus.ts';
import type { Commit } from '../../../server/src/core/ports/git.ts';

const { values: options } = parseArgs({
  options: {
    manifest: { type: 'string', default: '' },
    annotations: { type: 'string', default: '' },
    cache: { type: 'string', default: join(tmpdir(), 'selfware-quality') },
    chunks: { type: 'string', default: '20000' },
    table: { type: 'string' },
    vectors: { type: 'string', default: '0' },
  },
});
const wantedChunks = Number(options.chunks);
const dimensions = Number(options.vectors);
const PER_PUT = 100;
const SAVES = 200;
const TRIES = 4;

const files: SearchedFile[] = [];
const commits: Commit[] = [];
const questions: string[] = [];
let chunks = 0;
for (let copy = 0; chunks < wantedChunks; copy++) {
  for (const repository of JSON.parse(await readFile(options.manifest, 'utf8')) as Repository[]) {
    if (chunks >= wantedChunks) break;
    const corpus = await loadCorpus(repository, { cache: options.cache, annotations: options.annotations, fresh: [] });
    const folder = `${repository.name}${copy}`;
    if (copy === 0) questions.push(...corpus.questions.map(({ query }) => query));
    commits.push(
      ...corpus.commits.map((commit) => ({ ...commit, paths: commit.paths.map((path) => `${folder}/${path}`) })),
    );
    for (const file of corpus.files) {
      files.push(copyToFolder(file, folder, copy));
      chunks += file.chunks.length;
      if (chunks >= wantedChunks) break;
    }
  }
}
global.gc?.();
const memoryBefore = process.memoryUsage();
const searcher = createSearcher({ table: options.table ? await loadTermTable(options.table) : null });
const fillMillis = timeBest(() => {
  for (let offset = 0; offset < files.length; offset += PER_PUT) searcher.put(files.slice(offset, offset + PER_PUT));
});
const signalsMillis = timeBest(() => searcher.setSignals({ ownVendors: [], ...computeHistorySignals(commits) }));
global.gc?.();
const memoryAfter = process.memoryUsage();
const usedBytes = memoryAfter.heapUsed + memoryAfter.arrayBuffers - memoryBefore.heapUsed - memoryBefore.arrayBuffers;

const queries = questions.map((text) => ({ text, vector: createVector(), top: 10 }));
for (const question of queries.slice(0, 100)) searcher.search(question);
const queryMillis = queries.map((question) => timeBest(() => searcher.search(question), TRIES)).sort((a, b) => a - b);
const saveMillis = Array.from({ length: SAVES }, (_, saveIndex) =>
  timeBest(() => searcher.put([files[Math.floor((saveIndex * files.length) / SAVES)]!]), TRIES),
).sort((a, b) => a - b);
const formatPercentile = (values: readonly number[], share: number) =>
  values[Math.min(values.length - 1, Math.floor(values.length * share))]!.toFixed(2);
console.log(
  `${searcher.chunkCount} chunks of ${searcher.fileCount} files: question p50 ${formatPercentile(queryMillis, 0.5)} p95 ${formatPercentile(queryMillis, 0.95)} p99 ${formatPercentile(queryMillis, 0.99)} ms; save p50 ${formatPercentile(saveMillis, 0.5)} p95 ${formatPercentile(saveMillis, 0.95)} max ${formatPercentile(saveMillis, 1)} ms`,
);
console.log(
  `filled in ${Math.round(fillMillis)} ms, described in ${Math.round(signalsMillis)} ms; ${Math.round(usedBytes / searcher.chunkCount)} bytes a chunk (${Math.round(usedBytes / 2 ** 20)} MiB)`,
);

function createVector(): Float32Array | null {
  return dimensions ? createRandomVector() : null;
}

/** A copy of a file in another folder, with separate ids and vectors, so that its memory counts in full. */
function copyToFolder({ record, chunks: originalChunks }: CorpusFile, folder: string, copy: number): SearchedFile {
  const path = `${folder}/${record.path}`;
  return {
    record: { ...record, path },
    chunks: originalChunks.map(({ id, terms }) => ({ id: `${id}${copy}`, terms, vector: createVector() })),
  };
}

function createRandomVector(): Float32Array {
  const components = Float32Array.from({ length: dimensions }, () => Math.random() - 0.5);
  const length = Math.hypot(...components);
  return components.map((value) => value / length);
}

/** Milliseconds of the work: the best of several tries, because other programs use the machine, too. */
function timeBest(work: () => void, tries = 1): number {
  let best = Infinity;
  for (let round = 0; round < tries; round++) {
    const startedAt = performance.now();
    work();
    best = Math.min(best, performance.now() - startedAt);
  }
  return best;
}
