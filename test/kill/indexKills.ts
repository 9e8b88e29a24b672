// Kills a process that indexes at random moments, again and again, and looks each time at what the next start makes of
// it.

import { spawn } from 'node:child_process';
import { cp, mkdir, mkdtemp, readdir, readFile, rename, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { createInterface } from 'node:readline';
import { isDeepStrictEqual } from 'node:util';
import { createLock } from '../../server/src/adapters/files/lock.ts';
import { loadAllSearchedFiles } from '../../server/src/core/index/searchedFiles.ts';
import { createSearcher } from '../../server/src/core/index/search/createSearcher.ts';
import { findBundledScript } from '../helpers/bundledScript.ts';
import { sharedCode } from '../helpers/compiledCode.ts';
import { never, openIndexState, type Profile, type StoreKind } from './indexState.ts';

export interface KillOptions {
  readonly kills: number;
  readonly seed: number;
  readonly store: StoreKind;
  /** Folder whose copy is indexed. */
  readonly sources: string;
  /** What is run and killed; default: `indexProcess.ts`, bundled. */
  readonly program?: string;
  /** Milliseconds after which a process counts as hung. */
  readonly hangsMs?: number;
  note?(text: string): void;
}

export interface KillReport {
  /** Processes killed while they were indexing. */
  readonly killed: number;
  /** Of those, how many in a first run, in an update, after a change of profile. */
  readonly killedWhile: Readonly<Record<Work, number>>;
  /** Processes that got to the end before their time. */
  readonly finished: number;
  /** What was wrong, in words; empty is what it should be. */
  readonly faults: readonly string[];
  /** Most bytes on disk once idle, as a multiple of the indexed text. */
  readonly disk: number;
  /** Most chunks that had to be embedded again although they had been before a kill. */
  readonly lost: number;
}

type Work = 'first' | 'update' | 'profile';

/** A kill comes at most this much later than a whole run took. */
const LATE = 1.05;
const FIRST_GUESS_MS = 1_200;
/** No process of these small trees takes so long: one that does hangs, which is a fault like others. */
const HANGS_MS = 120_000;
const DISK_LIMIT = 3;
const PROGRAM = join(import.meta.dirname, 'indexProcess.ts');
const questions = [
  'parse a file into symbols',
  'createLock',
  'where are vectors compared',
  'read settings',
  'throwIfCancelled',
  'write atomically',
];

/**
 * Same seed, same edits and same moments; what a process has done by then is up to the machine. Ends early with the
 * first process that fails or hangs: it does so before it can be killed, and so may all that follow.
 */
export async function runKills({
  kills,
  seed,
  store,
  sources,
  program,
  hangsMs = HANGS_MS,
  note,
}: KillOptions): Promise<KillReport> {
  const random = randomFrom(seed);
  const folder = await mkdtemp(join(tmpdir(), 'selfware-kills-'));
  const [root, state] = [join(folder, 'root'), join(folder, 'state')];
  const run = program ?? (await findBundledScript(PROGRAM));
  const faults: string[] = [];
  const killedWhile: Record<Work, number> = { first: 0, update: 0, profile: 0 };
  const tookMs: Record<Work, number> = { first: FIRST_GUESS_MS, update: FIRST_GUESS_MS, profile: FIRST_GUESS_MS };
  let [killed, finished, disk, lost] = [0, 0, 0, 0];
  let profile: Profile = 'upright';
  let broken = false;
  try {
    await cp(sources, root, { recursive: true });
    for (let round = 0; killed < kills && !broken; round++) {
      const work: Work = round % 3 === 0 ? 'first' : round % 6 === 5 ? 'profile' : 'update';
      if (work === 'first') await rm(state, { recursive: true, force: true });
      if (work === 'update') await edit(root, random, round);
      if (work === 'profile') profile = profile === 'upright' ? 'inverted' : 'upright';
      await mkdir(state, { recursive: true });
      // Now and then a second one is killed at the work of repairing the first.
      const times = random() < 0.25 ? 2 : 1;
      const acknowledged = new Set<string>();
      let unfinished = 0;
      for (let time = 0; time < times && killed < kills && !broken; time++) {
        note?.(`round ${round}: ${work}`);
        const end = await runAndKill([run, root, state, store, profile], random() * tookMs[work] * LATE, hangsMs);
        if (end.trouble) faults.push(`round ${round}: ${end.trouble}`);
        broken = end.trouble !== null;
        for (const id of end.stored) acknowledged.add(id);
        if (end.killed) {
          killed += 1;
          killedWhile[work] += 1;
          unfinished = Math.max(unfinished, end.unfinished);
        } else {
          finished += 1;
          tookMs[work] = end.tookMs;
        }
      }
      const seen = await look(root, state, store, profile, acknowledged);
      faults.push(...seen.faults.map((fault) => `round ${round} (${work}, ${profile}): ${fault}`));
      if (unfinished > 1) faults.push(`round ${round}: ${unfinished} batches were embedded and not stored`);
      disk = Math.max(disk, seen.disk);
      lost = Math.max(lost, seen.lost);
      note?.([`${killed} of ${kills} killed`, ...seen.faults].join('; '));
    }
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
  return { killed, killedWhile, finished, faults, disk, lost };
}

interface End {
  readonly killed: boolean;
  readonly tookMs: number;
  /** Ids that were acknowledged. */
  readonly stored: readonly string[];
  /** Batches embedded and not acknowledged. */
  readonly unfinished: number;
  readonly trouble: string | null;
}

/** Kills so many milliseconds after the process has begun. */
function runAndKill(args: readonly string[], afterMs: number, hangsMs: number): Promise<End> {
  return new Promise((resolve) => {
    const child = spawn(process.execPath, ['--no-warnings', ...args], {
      env: { ...process.env, ...sharedCode },
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    const stored: string[] = [];
    let embedding = 0;
    let acknowledged = 0;
    let begunAt = performance.now();
    let timer: NodeJS.Timeout | undefined;
    let errors = '';
    let done = false;
    let last = 'nothing';
    let hung = false;
    const watch = setTimeout(() => (hung = child.kill('SIGKILL')), hangsMs);
    child.stderr.setEncoding('utf8').on('data', (text: string) => (errors += text));
    createInterface({ input: child.stdout }).on('line', (line) => {
      const [word, ...ids] = line.split(' ');
      last = word!;
      if (word === 'begun') {
        begunAt = performance.now();
        timer = setTimeout(() => child.kill('SIGKILL'), afterMs);
      } else if (word === 'embedding') embedding += 1;
      else if (word === 'stored') {
        acknowledged += 1;
        stored.push(...ids);
      } else if (word === 'done') done = true;
    });
    child.on('close', (code, signal) => {
      clearTimeout(timer);
      clearTimeout(watch);
      const killed = signal === 'SIGKILL' && !done && !hung;
      const trouble = hung
        ? `the process hung after it had said "${last}"`
        : killed || done || code === 0
          ? null
          : `the process failed: ${errors.slice(0, 500)}`;
      resolve({ killed, tookMs: performance.now() - begunAt, stored, unfinished: embedding - acknowledged, trouble });
    });
  });
}

/** The next start, compared with a clean index of the same tree. */
async function look(
  root: string,
  state: string,
  store: StoreKind,
  profile: Profile,
  acknowledged: ReadonlySet<string>,
) {
  const faults: string[] = [];
  const lock = await createLock(state).acquire('index');
  if (!lock) faults.push('the lock is still held');
  const clean = await openIndexState(root, null, 'lexical', profile);
  await clean.refresh();
  const expected = await contentOf(clean);
  const index = await openIndexState(root, state, store, profile);
  try {
    const before = await index.context.chunks.ids();
    const { embedded } = await index.refresh();
    const again = await index.refresh();
    const found = await contentOf(index);
    const shelf = await index.context.catalogue.trimShelf();
    const missing = [...acknowledged].filter((id) => !before.has(id));
    if (missing.length > 0) faults.push(`${missing.length} acknowledged chunks are lost`);
    const wanted = [...expected.rows.keys()].filter((id) => !before.has(id)).length;
    if (embedded > wanted) faults.push(`${embedded} chunks were embedded where ${wanted} were missing`);
    if (again.embedded > 0 || again.changedPaths.length > 0) faults.push('a second start finds work to do');
    if (!isDeepStrictEqual(found.records, expected.records))
      faults.push('the records differ from those of a clean index');
    for (const [id, row] of expected.rows)
      if (found.rows.get(id) !== row)
        faults.push(
          `row ${id} differs from that of a clean index: ${found.rows.has(id) ? 'terms or vector' : 'missing'}`,
        );
    const strays = [...found.rows.keys()].filter((id) => !expected.rows.has(id) && !shelf.has(id));
    if (strays.length > 0) faults.push(`${strays.length} rows that nothing names`);
    if (!isDeepStrictEqual(found.answers, expected.answers)) faults.push('answers differ from those of a clean index');
    await index.context.chunks.optimise();
    const disk = (await bytesIn(state, /^(?!catalogue)/)) / (await bytesIn(root, /./));
    if (disk > DISK_LIMIT) faults.push(`${disk.toFixed(2)} times the text on disk`);
    return { faults, disk, lost: [...acknowledged].filter((id) => !before.has(id)).length };
  } finally {
    await index.close();
    await clean.close();
    await lock?.release();
  }
}

type IndexState = Awaited<ReturnType<typeof openIndexState>>;

/** Everything that can be seen of an index. */
async function contentOf({ context: { catalogue, chunks, embedder } }: IndexState) {
  const records = (await catalogue.all()).toSorted((a, b) => (a.path < b.path ? -1 : 1));
  const rows = new Map<string, string>();
  for await (const batch of chunks.rows(never))
    for (const { id, terms, vector } of batch) rows.set(id, `${terms} ${vector.join()}`);
  const searcher = createSearcher({ table: null });
  searcher.put(await loadAllSearchedFiles(chunks, records, never));
  const vectors = await embedder.embed(questions, never);
  const answers = questions.map((text, at) => searcher.search({ text, vector: vectors[at]!, top: 10 }));
  return { records, rows, answers };
}

/** Changes, moves, removes and adds some files. */
async function edit(root: string, random: () => number, round: number): Promise<void> {
  const files = (await readdir(root, { recursive: true, withFileTypes: true }))
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name))
    .sort();
  const pick = (): string => files.splice(Math.floor(random() * files.length), 1)[0]!;
  for (let time = 0; time < 12; time++) {
    const file = pick();
    const lines = (await readFile(file, 'utf8')).split('\n');
    lines.splice(
      Math.floor(random() * lines.length),
      2,
      `export const edited${round}_${time} = ${Math.floor(random() * 1e6)};`,
    );
    await writeFile(file, lines.join('\n'));
  }
  for (let time = 0; time < 2; time++) {
    const file = pick();
    await rename(file, join(dirname(file), `moved${round}_${time}.ts`));
    await cp(pick(), join(root, `copied${round}_${time}.ts`));
    if (round % 2 === 0) await rm(pick());
  }
}

/** Bytes of the files below a folder whose path inside it matches. */
async function bytesIn(dir: string, matches: RegExp): Promise<number> {
  const entries = await readdir(dir, { recursive: true, withFileTypes: true });
  const sizes = entries
    .filter((entry) => entry.isFile() && matches.test(entry.name))
    .map(async (entry) => (await stat(join(entry.parentPath, entry.name))).size);
  return (await Promise.all(sizes)).reduce((sum, size) => sum + size, 0);
}

/** Mulberry32. */
function randomFrom(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}
