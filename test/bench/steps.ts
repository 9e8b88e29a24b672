// Which step of indexing costs what: the core's functions one after the other on one thread, each with its processor time.

import { createHash } from 'node:crypto';
import { mkdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { createWorkingTree } from '../../server/src/adapters/files/workingTree.ts';
import { grammarsFromNodeModules } from '../../server/src/adapters/grammars/grammars.ts';
import { createChunkStore } from '../../server/src/adapters/lancedb/chunkStore.ts';
import { createCatalogue } from '../../server/src/adapters/sqlite/catalogue.ts';
import { analyseSource } from '../../server/src/core/analysis/analyse.ts';
import { decodeSource } from '../../server/src/core/index/decode.ts';
import { looksGenerated, looksMinified } from '../../server/src/core/index/generated.ts';
import { importsOf } from '../../server/src/core/index/imports.ts';
import { languageOf } from '../../server/src/core/index/language.ts';
import { outline } from '../../server/src/core/index/outline.ts';
import { createParser, type SourceParser } from '../../server/src/core/index/parser.ts';
import { recordOf } from '../../server/src/core/index/record.ts';
import { termsOf } from '../../server/src/core/index/terms.ts';
import type { FileRecord } from '../../server/src/core/indexPorts.ts';
import type { Chunk } from '../../server/src/core/model.ts';
import { defaultSettings } from '../../server/src/settings/schema.ts';
import { grow } from './corpus/grow.ts';
import { makeRepository } from './corpus/repository.ts';
import { realSources } from './corpus/sources.ts';
import { searcherOver } from './peers/selfware.ts';
import type { Bench, BenchOptions, Cell, Table } from './support/bench.ts';
import { embed, embedder } from './support/embedding.ts';
import { runIndex } from './support/ours.ts';
import { figureOf, type Figure } from './support/statistics.ts';
import { createTally, type Tally } from './support/tally.ts';

const sizes = { tiny: 10, default: 1_000, large: 5_000 } as const;
const SOURCES = { tiny: 30, default: 3_000, large: 3_000 } as const;
/** As the index hands them over. */
const BATCH_FILES = 64;
/** What no search needs. */
const beside = new Set(['analyse', 'terms alone (part of cut into chunks)']);
const PARSE = 'parse (tree-sitter)';
/** Of a file; not every file has them all. */
const ofFile = ['walk', 'read', 'hash', 'decode', 'recognise generated files', PARSE, 'outline', 'imports', 'cut into chunks', 'terms alone (part of cut into chunks)', 'analyse'];

export const steps: Bench = {
  name: 'steps',
  describe: 'Which step of indexing costs what, as processor time on one thread, and the whole against the parse alone.',
  async run(options, signal) {
    const dir = join(options.scratch, 'repository');
    const repository = await makeRepository(dir, grow(realSources(options.grow, options.seed, SOURCES[options.size]), sizes[options.size], options.seed), null, signal);
    const tallies: Tally[] = [];
    const whole: number[] = [];
    // The first round compiles the code and is not counted.
    for (let round = options.size === 'tiny' ? 1 : 0; round <= options.repeats; round++) {
      options.note(`round ${round} of ${options.repeats}`);
      const tally = await indexStepwise(dir, join(options.scratch, `state-${round}`), signal);
      if (round > 0) tallies.push(tally);
    }
    for (let round = 0; round < options.repeats; round++) whole.push((await indexByCommand(dir, options, signal)) ?? Number.NaN);
    return [stepsTable(tallies, repository), ratioTable(tallies, whole)];
  },
};

async function indexByCommand(dir: string, { scratch }: BenchOptions, signal: AbortSignal): Promise<number | null> {
  const home = join(scratch, 'home');
  await mkdir(home);
  const { cpuMs } = await runIndex(dir, home, signal);
  await rm(home, { recursive: true });
  return cpuMs;
}

async function indexStepwise(dir: string, stateDir: string, signal: AbortSignal): Promise<Tally> {
  const tally = createTally(ofFile);
  await mkdir(stateDir);
  const tree = await createWorkingTree(dir);
  const parser = createParser(grammarsFromNodeModules());
  const { files } = await tally.addAsync('walk', () => tree.walk({ maxBytes: defaultSettings['index.maxFileKilobytes'] * 1024, exclude: [] }, signal));
  const inspected: { record: FileRecord; chunks: readonly Chunk[] }[] = [];
  // All first: while one waits for the disk, collection and compilation of what came before run on other threads and would be booked here.
  const read = await tally.addAsync('read', async () => {
    const all: (Uint8Array | null)[] = [];
    for (const { path } of files) all.push(await tree.read(path));
    return all;
  });
  for (const [index, { path, stat }] of files.entries()) {
    signal.throwIfAborted();
    const bytes = read[index];
    if (!bytes) continue;
    const hash = tally.add('hash', () => createHash('sha256').update(bytes).digest('hex'));
    const found = await inspectStepwise(parser, { path, bytes, size: stat.size, mtimeMs: stat.mtimeMs, hash }, tally);
    if (found) inspected.push(found);
  }
  parser.close();
  await storeStepwise(inspected, stateDir, tally, signal);
  await searcherOver(inspected, [], tally, signal);
  await rm(stateDir, { recursive: true });
  return tally;
}

async function inspectStepwise(parser: SourceParser, file: { path: string; bytes: Uint8Array; size: number; mtimeMs: number; hash: string }, tally: Tally): Promise<{ record: FileRecord; chunks: readonly Chunk[] } | null> {
  const { path } = file;
  const decoded = tally.add('decode', () => decodeSource(file.bytes));
  if ('reason' in decoded) return null;
  const { text } = decoded;
  const language = languageOf(path);
  const [generated, minified] = tally.add('recognise generated files', () => [looksGenerated(path, text), looksMinified(text)]);
  const tree = language && !minified ? await tally.addAsync(PARSE, () => parser.parse(language, text)) : null;
  const symbols = tree && language ? tally.add('outline', () => outline(tree, language, text)) : [];
  const imports = tree && language ? tally.add('imports', () => importsOf(tree, language)) : [];
  const made = tally.add('cut into chunks', () => recordOf(file, { text, language, symbols, imports, generated, trouble: null }));
  tally.add('terms alone (part of cut into chunks)', () => termsOf(text));
  tally.add('analyse', () => analyseSource({ path, text, language, tree, symbols, generated }));
  tree?.delete();
  return made;
}

async function storeStepwise(inspected: readonly { record: FileRecord; chunks: readonly Chunk[] }[], stateDir: string, tally: Tally, signal: AbortSignal): Promise<void> {
  const { store } = await createChunkStore(stateDir, { write: () => undefined });
  await store.open('bench', embedder.dimensions);
  const catalogue = createCatalogue(join(stateDir, 'catalogue.db'));
  await catalogue.open('bench');
  for (let at = 0; at < inspected.length; at += BATCH_FILES) {
    const batch = inspected.slice(at, at + BATCH_FILES);
    const chunks = batch.flatMap((file) => file.chunks);
    tally.add('hand over between threads', () => structuredClone(batch));
    const vectors = await tally.addAsync('embed', () => embed(chunks, signal));
    await tally.addAsync(`store chunks (${store.kind})`, () => store.upsert(chunks.map((chunk, index) => ({ ...chunk, vector: vectors[index]! }))));
    await tally.addAsync('store records (SQLite)', () => catalogue.put(batch.map(({ record }) => record)));
  }
  await tally.addAsync('compact', () => store.optimise());
  await store.close();
  await catalogue.close();
}

function stepsTable(tallies: readonly Tally[], repository: { readonly files: number; readonly bytes: number }): Table {
  const names = [...tallies[0]!.steps.keys()];
  const cpu = (name: string) => figureOf(tallies.map(({ steps }) => steps.get(name)?.cpuMs ?? 0));
  const parse = cpu(PARSE).median;
  const megabytes = repository.bytes / 2 ** 20;
  return {
    title: 'Steps of indexing',
    columns: [{ name: 'step' }, { name: 'CPU', unit: 'ms', digits: 0 }, { name: 'wall', unit: 'ms', digits: 0 }, { name: '÷ parse', digits: 2 }, { name: 'speed', unit: 'MB per CPU second', digits: 1 }],
    rows: names.map((name): Cell[] => [name, cpu(name), figureOf(tallies.map(({ steps }) => steps.get(name)?.wallMs ?? 0)), cpu(name).median / parse, (megabytes * 1000) / cpu(name).median]),
    notes: [`${repository.files} files, ${megabytes.toFixed(1)} MB. Processor time of the whole process, threads of libraries included; one step at a time.`],
  };
}

function ratioTable(tallies: readonly Tally[], whole: readonly number[]): Table {
  const sum = (wanted: (name: string) => boolean): Figure => figureOf(tallies.map(({ steps }) => [...steps].reduce((total, [name, { cpuMs }]) => (wanted(name) ? total + cpuMs : total), 0)));
  const parse = sum((name) => name === PARSE).median;
  const row = (name: string, figure: Figure): Cell[] => [name, figure, figure.median / parse];
  return {
    title: 'Index against the parse alone',
    columns: [{ name: 'what' }, { name: 'CPU', unit: 'ms', digits: 0 }, { name: '÷ parse', digits: 2 }],
    rows: [
      row('parse alone', sum((name) => name === PARSE)),
      row('all steps that search needs', sum((name) => !beside.has(name))),
      row('and the analysis', sum((name) => !beside.has(name) || name === 'analyse')),
      row('`selfware index`, the whole process', figureOf(whole)),
    ],
    notes: ['The whole process also starts, loads grammars and libraries, runs worker threads, scores and packs.'],
  };
}
