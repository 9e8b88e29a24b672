// Measures the processor time of each step of indexing, by calling the functions of the core one after the other on one
// thread.

import { createHash } from 'node:crypto';
import { mkdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { createWorkingTree } from '../../server/src/adapters/files/workingTree.ts';
import { createGrammarsFromNodeModules } from '../../server/src/adapters/grammars/grammars.ts';
import { createChunkStore } from '../../server/src/adapters/lancedb/chunkStore.ts';
import { createCatalogue } from '../../server/src/adapters/sqlite/catalogue.ts';
import { decodeSource } from '../../server/src/core/index/parse/decode.ts';
import { looksGenerated, looksMinified } from '../../server/src/core/paths/generated.ts';
import { findImports } from '../../server/src/core/index/parse/imports.ts';
import type { IndexedFileResult } from '../../server/src/core/index/inspect.ts';
import { detectLanguage } from '../../server/src/core/index/parse/language.ts';
import { parseOutline } from '../../server/src/core/index/parse/outline.ts';
import { createParser, type SourceParser } from '../../server/src/core/index/parse/parser.ts';
import { createRecord } from '../../server/src/core/index/record.ts';
import { computePackedVector } from '../../server/src/core/index/terms/packedVectors.ts';
import { CHUNK_BATCH_SIZE } from '../../server/src/core/index/indexWriter.ts';
import { spellTerms } from '../../server/src/core/index/terms/spellTerms.ts';
import {
  createTermDictionary,
  createTermPacker,
  type TermPacker,
} from '../../server/src/core/index/terms/termPacker.ts';
import type { SearchedFile } from '../../server/src/core/index/search/searcher.ts';
import { defaultSettings } from '../../server/src/settings/schema.ts';
import { grow } from './corpus/grow.ts';
import { makeRepository } from './corpus/repository.ts';
import { collectSources } from './corpus/sources.ts';
import { createFilledSearcher } from './peers/selfware.ts';
import type { Bench, Cell, Table } from './support/bench.ts';
import { embedder, termTable } from './support/embedding.ts';
import { summariseSamples } from './support/statistics.ts';
import { createTally, type Tally } from './support/tally.ts';

/** Number of files of the repository. */
const sizes = { tiny: 10, default: 1_000, large: 5_000 } as const;
const SOURCES = { tiny: 30, default: 3_000, large: 3_000 } as const;
/** Number of files that a thread gets at once, as in the index. */
const BATCH_FILES = 64;
const walkOptions = { maxBytes: defaultSettings['index.maxFileKilobytes'] * 1024, exclude: [] };
const PARSE_STEP = 'parse (tree-sitter)';
const CUT_STEP = 'cut into chunks';
const PACK_STEP = 'pack terms';
/** The steps for each file, some of which apply only to certain files. */
const STEPS_OF_FILE = [
  'walk',
  'read',
  'hash',
  'decode',
  'recognise generated files',
  PARSE_STEP,
  'outline',
  'imports',
  CUT_STEP,
  PACK_STEP,
  'analyse',
];

/** The bench: the costs of each step. */
export const steps: Bench = {
  name: 'steps',
  describe: 'Which step of indexing costs what, as processor time on one thread.',
  async run(options, signal) {
    const dir = join(options.scratch, 'repository');
    const repository = await makeRepository(
      dir,
      grow(collectSources(options.grow, options.seed, SOURCES[options.size]), sizes[options.size], options.seed),
      null,
      signal,
    );
    const tallies: Tally[] = [];
    // The first round compiles the code and is not counted.
    for (let round = options.size === 'tiny' ? 1 : 0; round <= options.repeats; round++) {
      options.note(`round ${round} of ${options.repeats}`);
      const tally = await indexStepwise(dir, join(options.scratch, `state-${round}`), signal);
      if (round > 0) tallies.push(tally);
    }
    options.note('the analysis');
    for (const tally of options.size === 'tiny' ? tallies : [createTally(STEPS_OF_FILE), ...tallies])
      await analyseAll(dir, tally, signal);
    return [createStepsTable(tallies, repository)];
  },
};

/** Indexes the repository once and returns the cost of each step. */
async function indexStepwise(dir: string, stateDir: string, signal: AbortSignal): Promise<Tally> {
  const tally = createTally(STEPS_OF_FILE);
  await mkdir(stateDir);
  const tree = await createWorkingTree(dir);
  const parser = createParser(createGrammarsFromNodeModules());
  const { files } = await tally.addAsync('walk', () => tree.walk(walkOptions, signal));
  // All files are read before the other steps. Otherwise, garbage collection and compilation for earlier steps would
  // run on other threads during the wait for the disk, and would count as reading.
  const read = await tally.addAsync('read', async () => {
    const allBytes: (Uint8Array | null)[] = [];
    for (const { path } of files) allBytes.push(await tree.read(path));
    return allBytes;
  });
  const dictionary = createTermDictionary();
  let packer = createTermPacker(dictionary);
  const indexedFiles: IndexedFileResult[] = [];
  let batch: IndexedFileResult[] = [];
  const handOverBatch = (): void => {
    tally.add(PACK_STEP, () => packer.finish());
    indexedFiles.push(...tally.add('hand over between threads', () => structuredClone(batch)));
    packer = createTermPacker(dictionary);
    batch = [];
  };
  for (const [index, { path, stat }] of files.entries()) {
    signal.throwIfAborted();
    const bytes = read[index];
    if (!bytes) continue;
    const hash = tally.add('hash', () => createHash('sha256').update(bytes).digest('hex'));
    const indexedFile = await inspectStepwise(
      parser,
      { path, bytes, size: stat.size, mtimeMs: stat.mtimeMs, hash },
      packer,
      tally,
    );
    if (indexedFile) batch.push(indexedFile);
    if (batch.length === BATCH_FILES) handOverBatch();
  }
  handOverBatch();
  createFilledSearcher(await storeStepwise(indexedFiles, stateDir, tally, signal), [], tally);
  parser.close();
  await rm(stateDir, { recursive: true });
  return tally;
}

/** Inspects one file as the index does. Null if it is not text. */
async function inspectStepwise(
  parser: SourceParser,
  file: { path: string; bytes: Uint8Array; size: number; mtimeMs: number; hash: string },
  packer: TermPacker,
  tally: Tally,
): Promise<IndexedFileResult | null> {
  const { path } = file;
  const decoded = tally.add('decode', () => decodeSource(file.bytes));
  if ('reason' in decoded) return null;
  const { text } = decoded;
  const language = detectLanguage(path);
  const [generated, minified] = tally.add('recognise generated files', () => [
    looksGenerated(path, text),
    looksMinified(text),
  ]);
  const tree = language && !minified ? await tally.addAsync(PARSE_STEP, () => parser.parse(language, text)) : null;
  const symbols = tree && language ? tally.add('outline', () => parseOutline(tree, language, text)) : [];
  const imports = tree && language ? tally.add('imports', () => findImports(tree, language)) : [];
  const indexed = tally.add(CUT_STEP, () =>
    createRecord(file, { text, language, symbols, imports, generated, trouble: null }, packer),
  );
  tree?.delete();
  return { ...indexed, packed: { batch: packer.batch, first: packer.count() - indexed.chunks.length } };
}

/**
 * Measures the analysis of all files. It runs after all rounds of the other steps, and loads the compiler only then,
 * because collecting the compiler's garbage would count for other steps. In a session, the compiler is in other
 * threads.
 */
async function analyseAll(dir: string, tally: Tally, signal: AbortSignal): Promise<void> {
  const { analyseSource } = await import('../../server/src/core/analysis/analyse.ts');
  const tree = await createWorkingTree(dir);
  const parser = createParser(createGrammarsFromNodeModules());
  const { files } = await tree.walk(walkOptions, signal);
  for (const { path } of files) {
    signal.throwIfAborted();
    const bytes = await tree.read(path);
    const decoded = bytes && decodeSource(bytes);
    if (!decoded || 'reason' in decoded) continue;
    const { text } = decoded;
    const language = detectLanguage(path);
    const parsed = language && !looksMinified(text) ? await parser.parse(language, text) : null;
    const symbols = parsed && language ? parseOutline(parsed, language, text) : [];
    tally.add('analyse', () =>
      analyseSource({ path, text, language, tree: parsed, symbols, generated: looksGenerated(path, text) }),
    );
    parsed?.delete();
  }
  parser.close();
}

/** Stores the files as the index does, and returns them in the form that the index in memory expects. */
async function storeStepwise(
  indexedFiles: readonly IndexedFileResult[],
  stateDir: string,
  tally: Tally,
  signal: AbortSignal,
): Promise<SearchedFile[]> {
  const { store } = await createChunkStore(stateDir, { write: () => undefined });
  await store.open('bench', embedder.dimensions);
  const catalogue = createCatalogue(join(stateDir, 'catalogue.db'));
  await catalogue.open('bench');
  const searchedFiles: SearchedFile[] = [];
  for (let next = 0; next < indexedFiles.length; ) {
    signal.throwIfAborted();
    const from = next;
    let count = 0;
    while (next < indexedFiles.length && count < CHUNK_BATCH_SIZE) count += indexedFiles[next++]!.chunks.length;
    const batch = indexedFiles.slice(from, next);
    const files = tally.add('vectors', () => batch.map(addVectors));
    await tally.addAsync(`store chunks (${store.kind})`, () =>
      store.upsert(
        files.flatMap(({ chunks, packed }) =>
          chunks.map((chunk, index) => ({ ...chunk, terms: spellTerms(packed!.batch, packed!.first + index) })),
        ),
      ),
    );
    await tally.addAsync('store records (SQLite)', () => catalogue.put(batch.map(({ record }) => record)));
    searchedFiles.push(
      ...files.map(({ record, packed, chunks }) => ({
        record,
        packed,
        chunks: chunks.map(({ id, terms, vector }) => ({ id, terms, vector: null, shipped: vector })),
      })),
    );
  }
  await tally.addAsync('compact', () => store.optimise({ thoroughly: true }));
  await store.close();
  await catalogue.close();
  return searchedFiles;
}

function addVectors({ record, chunks, packed }: IndexedFileResult) {
  return {
    record,
    packed,
    chunks: chunks.map((chunk, index) => ({
      ...chunk,
      vector: computePackedVector(termTable!, packed!.batch, packed!.first + index),
    })),
  };
}

function createStepsTable(
  tallies: readonly Tally[],
  repository: { readonly files: number; readonly bytes: number },
): Table {
  const names = [...tallies[0]!.steps.keys()];
  const processorTimes = (name: string) => summariseSamples(tallies.map(({ steps }) => steps.get(name)?.cpuMs ?? 0));
  const parse = processorTimes(PARSE_STEP).median;
  const megabytes = repository.bytes / 2 ** 20;
  return {
    title: 'Steps of indexing',
    columns: [
      { name: 'step' },
      { name: 'CPU', unit: 'ms', digits: 0 },
      { name: 'wall', unit: 'ms', digits: 0 },
      { name: '÷ parse', digits: 2 },
      { name: 'speed', unit: 'MB per CPU second', digits: 1 },
    ],
    rows: names.map((name): Cell[] => [
      name,
      processorTimes(name),
      summariseSamples(tallies.map(({ steps }) => steps.get(name)?.wallMs ?? 0)),
      processorTimes(name).median / parse,
      (megabytes * 1000) / processorTimes(name).median,
    ]),
    notes: [
      `${repository.files} files, ${megabytes.toFixed(1)} MB. Processor time of the whole process, threads of libraries included; one step at a time.`,
    ],
  };
}
