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
const wanted = Number(options.chunks);
const dimensions = Number(options.vectors);
const PER_PUT = 100;
const SAVES = 200;
const TRIES = 4;

const files: SearchedFile[] = [];
const commits: Commit[] = [];
const questions: string[] = [];
let chunks = 0;
for (let copy = 0; chunks < wanted; copy++) {
  for (const repository of JSON.parse(await readFile(options.manifest, 'utf8')) as Repository[]) {
    if (chunks >= wanted) break;
    const corpus = await loadCorpus(repository, { cache: options.cache, annotations: options.annotations, fresh: [] });
    const folder = `${repository.name}${copy}`;
    if (copy === 0) questions.push(...corpus.questions.map(({ query }) => query));
    commits.push(
      ...corpus.commits.map((commit) => ({ ...commit, paths: commit.paths.map((path) => `${folder}/${path}`) })),
    );
    for (const file of corpus.files) {
      files.push(moved(file, folder, copy));
      chunks += file.chunks.length;
      if (chunks >= wanted) break;
    }
  }
}
global.gc?.();
const before = process.memoryUsage();
const searcher = createSearcher({ table: options.table ? await loadTermTable(options.table) : null });
const filled = timed(() => {
  for (let at = 0; at < files.length; at += PER_PUT) searcher.put(files.slice(at, at + PER_PUT));
});
const described = timed(() => searcher.setSignals({ ownVendors: [], ...computeHistorySignals(commits) }));
global.gc?.();
const after = process.memoryUsage();
const bytes = after.heapUsed + after.arrayBuffers - before.heapUsed - before.arrayBuffers;

const asked = questions.map((text) => ({ text, vector: vector(), top: 10 }));
for (const question of asked.slice(0, 100)) searcher.search(question);
const times = asked.map((question) => timed(() => searcher.search(question), TRIES)).sort((a, b) => a - b);
const saves = Array.from({ length: SAVES }, (_, at) =>
  timed(() => searcher.put([files[Math.floor((at * files.length) / SAVES)]!]), TRIES),
).sort((a, b) => a - b);
const at = (values: readonly number[], share: number) =>
  values[Math.min(values.length - 1, Math.floor(values.length * share))]!.toFixed(2);
console.log(
  `${searcher.chunks} chunks of ${searcher.files} files: question p50 ${at(times, 0.5)} p95 ${at(times, 0.95)} p99 ${at(times, 0.99)} ms; save p50 ${at(saves, 0.5)} p95 ${at(saves, 0.95)} max ${at(saves, 1)} ms`,
);
console.log(
  `filled in ${Math.round(filled)} ms, described in ${Math.round(described)} ms; ${Math.round(bytes / searcher.chunks)} bytes a chunk (${Math.round(bytes / 2 ** 20)} MiB)`,
);

function vector(): Float32Array | null {
  return dimensions ? randomVector() : null;
}

/** A copy of a file in another folder, with separate ids and vectors, so that its memory counts in full. */
function moved({ record, chunks: own }: CorpusFile, folder: string, copy: number): SearchedFile {
  const path = `${folder}/${record.path}`;
  return {
    record: { ...record, path },
    chunks: own.map(({ id, terms }) => ({ id: `${id}${copy}`, terms, vector: vector() })),
  };
}

function randomVector(): Float32Array {
  const made = Float32Array.from({ length: dimensions }, () => Math.random() - 0.5);
  const length = Math.hypot(...made);
  return made.map((value) => value / length);
}

/** Milliseconds of the work: the best of several tries, because other programs use the machine, too. */
function timed(work: () => void, tries = 1): number {
  let best = Infinity;
  for (let round = 0; round < tries; round++) {
    const start = performance.now();
    work();
    best = Math.min(best, performance.now() - start);
  }
  return best;
}
