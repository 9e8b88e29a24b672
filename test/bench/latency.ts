// Measures the time of a search in a warm index of growing size: by the searcher in memory, by both stores, and by a
// peer on the same chunks.

import { mkdir, readdir } from 'node:fs/promises';
import { join } from 'node:path';
import MiniSearch from 'minisearch';
import { createChunkStore } from '../../server/src/adapters/lancedb/chunkStore.ts';
import { createLexicalStore } from '../../server/src/adapters/lexical/lexicalStore.ts';
import { createSearcher } from '../../server/src/core/index/search/createSearcher.ts';
import { computeHistorySignals } from '../../server/src/core/index/search/historySignals.ts';
import type { RepositorySignals } from '../../server/src/core/index/search/searcher.ts';
import { extractQueryTerms } from '../../server/src/core/index/terms/terms.ts';
import type { Chunk } from '../../server/src/core/model.ts';
import { readCorpus } from './corpus/corpus.ts';
import { createDocQuestions, writeSources } from './corpus/docSentences.ts';
import { growChunks, type ChunkedFile } from './corpus/grownChunks.ts';
import { collectSources } from './corpus/sources.ts';
import { readQuestions } from './quality/corpus.ts';
import type { Bench, BenchOptions, Cell } from './support/bench.ts';
import { embedChunks, embedder, createSearchedFiles, termTable } from './support/embedding.ts';
import { measure, measureRetained, timeEach, timeEachWarm, type Times } from './support/measure.ts';
import { shuffle } from './support/random.ts';
import { computePercentile } from './support/statistics.ts';
import type { ChunkStore } from '../../server/src/core/ports/search.ts';

/** Numbers of chunks. */
const sizes = { tiny: [50], default: [2_000, 20_000], large: [2_000, 20_000, 200_000] } as const;
const sourcesOf = { tiny: 30, default: 3_000, large: 3_000 } as const;
const QUESTIONS = 100;
/** Number of questions that are names, as people type them to jump to a definition. */
const NAMES = 25;
/** Number of results of a search. */
const TOP = 20;
const CANDIDATES = 150;
/** Maximum number of commits, as in a session. */
const COMMITS = 10_000;
/** Number of files that are replaced and removed, one by one. */
const CHANGED_FILES = 20;
const BATCH_FILES = 64;
/** Maximum number of chunks for the store without LanceDB. It compares all vectors, so a larger run takes hours. */
const MAX_IN_SQLITE = 50_000;
const UPSERT_ROWS = 2_000;
/** Number of times that each question is asked. */
const ROUNDS = 3;

/** The input of the measurements at one size. */
interface Setting {
  readonly files: readonly ChunkedFile[];
  readonly chunks: number;
  readonly questions: readonly string[];
  readonly options: BenchOptions;
  readonly signal: AbortSignal;
}

/** The measurements of one system at one size. */
interface Measurement {
  readonly name: string;
  readonly search: Times;
  /** Processor time of adding all files. */
  readonly buildMs: number;
  /** Times of replacing and of removing one file. */
  readonly put: Times;
  readonly remove: Times;
  readonly bytes: number | null;
}

/** The bench: a row of times and memory for each system and size. */
export const latency: Bench = {
  name: 'latency',
  describe:
    'How long a question takes, warm, at growing numbers of chunks; what one changed file costs; memory of a chunk.',
  async run(options, signal) {
    const dir = join(options.scratch, 'sources');
    await mkdir(dir);
    const sources = collectSources(options.grow, options.seed, sourcesOf[options.size]);
    await writeSources(dir, sources);
    const corpus = await readCorpus('sources', dir, signal);
    const sentences =
      options.labels === null
        ? (await createDocQuestions(sources, QUESTIONS - NAMES, options.seed)).questions.map(({ text }) => text)
        : await readLabelledQuestions(options.labels, options.seed);
    const names = corpus.records
      .flatMap(({ symbols }) =>
        symbols
          .filter(({ kind }) => kind === 'function' || kind === 'class')
          .slice(0, 1)
          .map(({ name }) => name),
      )
      .slice(0, NAMES);
    const rows: Cell[][] = [];
    for (const size of sizes[options.size]) {
      const files = growChunks(corpus, size, options.seed, signal);
      const setting: Setting = {
        files,
        chunks: files.reduce((sum, file) => sum + file.chunks.length, 0),
        questions: [...sentences, ...names],
        options,
        signal,
      };
      for (const system of [
        measureTermSearcher,
        measureModelSearcher,
        measureLanceDb,
        measureSqlite,
        measureMiniSearch,
      ]) {
        const measurement = await system(setting);
        if (!measurement) continue;
        rows.push(createRow(setting, measurement));
        const [wall, cpu] = [measurement.search.wallMs, measurement.search.cpuMs].map((times) =>
          [0.5, 0.95].map((share) => computePercentile(times, share).toFixed(2)).join(' and '),
        );
        options.note(
          `${setting.chunks.toLocaleString('en')} chunks, ${measurement.name}: p50 and p95 ${wall} ms, of processor time ${cpu} ms`,
        );
      }
    }
    const ms = (name: string) => ({ name, unit: 'ms', digits: 2 });
    return [
      {
        title: 'Questions to a warm index',
        columns: [
          { name: 'chunks' },
          { name: 'system' },
          ms('p50'),
          ms('p95'),
          ms('p99'),
          ms('CPU p50'),
          ms('CPU p95'),
          { name: 'build', unit: 'CPU s', digits: 1 },
          ms('put a file, p50'),
          ms('put, p95'),
          ms('remove, p50'),
          { name: 'memory of a chunk', unit: 'KB', digits: 2 },
        ],
        rows,
        notes: [
          `${sentences.length} ${options.labels === null ? 'sentences of documentation comments' : 'labelled questions'} and ${names.length} names of definitions, each ${ROUNDS} times after a round that is not counted; the best ${TOP} results.`,
          `The searcher is what a session asks, with all of its signals: terms, names, paths, imports, commits (made up of the names that a file defines) and vectors by the shipped table. With vectors of a model, too: a second kind, as where an embedder is configured (its own time is not counted). LanceDB and SQLite (only up to ${MAX_IN_SQLITE.toLocaleString('en')} chunks) are the stores behind it, asked for their two lists (terms and vectors). BM25 by MiniSearch as it comes, on the same chunks.`,
          'Memory: heap and buffers after collection; a store that keeps rows on disk or in native memory has none here.',
        ],
      },
    ];
  },
};

async function readLabelledQuestions(labels: string, seed: number): Promise<string[]> {
  const files = (await readdir(labels)).filter((name) => name.endsWith('.json')).sort();
  const questions = await Promise.all(files.map((name) => readQuestions(join(labels, name))));
  return shuffle(
    questions.flat().map(({ query }) => query),
    seed,
    (query) => query,
  ).slice(0, QUESTIONS - NAMES);
}

function createRow({ chunks }: Setting, { name, search, buildMs, put, remove, bytes }: Measurement): Cell[] {
  const [p50, p95, p99] = [0.5, 0.95, 0.99].map((share) => computePercentile(search.wallMs, share));
  return [
    chunks,
    name,
    p50!,
    p95!,
    p99!,
    computePercentile(search.cpuMs, 0.5),
    computePercentile(search.cpuMs, 0.95),
    buildMs / 1000,
    computePercentile(put.wallMs, 0.5),
    computePercentile(put.wallMs, 0.95),
    computePercentile(remove.wallMs, 0.5),
    bytes === null ? null : bytes / chunks / 1024,
  ];
}

function measureTermSearcher(setting: Setting): Promise<Measurement> {
  return measureSearcher('searcher in memory', 'terms', setting);
}

function measureModelSearcher(setting: Setting): Promise<Measurement> {
  return measureSearcher('with vectors of a model, too', 'model', setting);
}

/** Measures the searcher in memory. `source`: `model` to add vectors of the embedder. */
async function measureSearcher(
  name: string,
  source: 'terms' | 'model',
  { files, questions, options, signal }: Setting,
): Promise<Measurement> {
  const indexedFiles = await createSearchedFiles(files, source, signal);
  const queries = await Promise.all(
    questions.map(async (text) => ({
      text,
      vector: source === 'model' ? (await embedder.embed([text], signal))[0]! : null,
      top: TOP,
    })),
  );
  const signals = createSignals(files, options.seed);
  const { value, bytes } = await measureRetained(async () => {
    const newSearcher = createSearcher({ table: termTable });
    newSearcher.setSignals(signals);
    // Files are added in batches, as by the index.
    const build = await measure(() => {
      for (let offset = 0; offset < files.length; offset += BATCH_FILES)
        newSearcher.put(indexedFiles.slice(offset, offset + BATCH_FILES));
    });
    return { index: newSearcher, buildMs: build.cpuMs };
  });
  const { index, buildMs } = value;
  const search = await timeEachWarm(queries, ROUNDS, (query) => index.search(query), signal);
  const changedFiles = indexedFiles.slice(-CHANGED_FILES);
  const put = await timeEachWarm(changedFiles, ROUNDS, (file) => index.put([file]), signal);
  const remove = await timeEach(changedFiles, 1, (file) => index.remove([file.record.path]), signal);
  return { name, search, buildMs, put, remove, bytes };
}

/** Signals like those of a repository with a history: the subject of each commit names a definition that it touches. */
function createSignals(files: readonly ChunkedFile[], seed: number): RepositorySignals {
  const allCommits = files.flatMap(({ record: { path, symbols } }) =>
    symbols.map(({ name }) => ({ hash: `${path}#${name}`, atMs: 0, subject: `Mend ${name}`, paths: [path] })),
  );
  const commits = shuffle(allCommits, seed, ({ hash }) => hash).slice(0, COMMITS);
  return { ownVendors: [], ...computeHistorySignals(commits) };
}

async function measureLanceDb(setting: Setting): Promise<Measurement | null> {
  const { store, notice } = await createChunkStore(await stateDir(setting, 'lancedb'), { write: () => undefined });
  if (notice) {
    setting.options.note(`LanceDB is left out: ${notice.message}`);
    await store.close();
    return null;
  }
  return measureStore('LanceDB, terms and vectors', store, setting);
}

async function measureSqlite(setting: Setting): Promise<Measurement | null> {
  if (setting.chunks > MAX_IN_SQLITE) return null;
  return measureStore(
    'SQLite store, terms and vectors',
    await createLexicalStore(join(await stateDir(setting, 'sqlite'), 'chunks.db')),
    setting,
  );
}

/** Measures a store of chunks by the two searches that a session makes. */
async function measureStore(
  name: string,
  store: ChunkStore,
  { files, questions, signal }: Setting,
): Promise<Measurement> {
  await store.open('bench', embedder.dimensions);
  const chunks = files.flatMap((file) => file.chunks);
  const embedRows = async (chunkBatch: readonly Chunk[]) => {
    const vectors = await embedChunks(chunkBatch, signal);
    return chunkBatch.map((chunk, index) => ({ ...chunk, vector: vectors[index]! }));
  };
  const build = await measure(async () => {
    for (let offset = 0; offset < chunks.length; offset += UPSERT_ROWS) {
      signal.throwIfAborted();
      await store.upsert(await embedRows(chunks.slice(offset, offset + UPSERT_ROWS)));
    }
    await store.optimise();
  });
  const queries = await Promise.all(
    questions.map(async (text) => ({
      terms: extractQueryTerms(text).join(' '),
      vector: (await embedder.embed([text], signal))[0]!,
      limit: CANDIDATES,
    })),
  );
  const search = await timeEachWarm(queries, ROUNDS, (query) => store.search(query), signal);
  const changedRows = await Promise.all(files.slice(-CHANGED_FILES).map((file) => embedRows(file.chunks)));
  const put = await timeEachWarm(changedRows, 1, (rows) => store.upsert(rows), signal);
  const remove = await timeEach(changedRows, 1, (rows) => store.remove(rows.map(({ id }) => id)), signal);
  await store.close();
  return { name, search, buildMs: build.cpuMs, put, remove, bytes: null };
}

async function measureMiniSearch({ files, questions, signal }: Setting): Promise<Measurement> {
  const buildResult = await measure(() =>
    measureRetained(() => {
      const miniSearch = new MiniSearch({ fields: ['text'], autoVacuum: false });
      for (const { id, text } of files.flatMap((file) => file.chunks)) miniSearch.add({ id, text });
      return miniSearch;
    }),
  );
  const { value: index, bytes } = buildResult.value;
  const search = await timeEachWarm(questions, ROUNDS, (text) => index.search(text).slice(0, TOP), signal);
  const changedFiles = files.slice(-CHANGED_FILES);
  const put = await timeEachWarm(
    changedFiles,
    ROUNDS,
    (file) => file.chunks.forEach(({ id, text }) => index.replace({ id, text })),
    signal,
  );
  const remove = await timeEach(changedFiles, 1, (file) => file.chunks.forEach(({ id }) => index.discard(id)), signal);
  return { name: 'BM25 (minisearch)', search, buildMs: buildResult.cpuMs, put, remove, bytes };
}

async function stateDir({ options, chunks }: Setting, name: string): Promise<string> {
  const dir = join(options.scratch, `${name}-${chunks}`);
  await mkdir(dir);
  return dir;
}
