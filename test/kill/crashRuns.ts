// Kills a process that applies, judges, rolls back, commits and prunes at random moments, and looks after each whether
// anything was lost.

import { spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import { mkdir, mkdtemp, readdir, readFile, realpath, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { findBundledScript } from '../helpers/bundledScript.ts';
import { sharedCode } from '../helpers/compiledCode.ts';
import { createTemporaryRepository, type TemporaryRepository } from '../helpers/temporaryRepository.ts';
import { createRandom, PATHS, placesOf, SLOTS, startText } from './crashWorld.ts';

const SCRIPT = join(import.meta.dirname, 'crashProcess.ts');
/** From the first piece of work to the kill. */
const LONGEST_MS = 4000;
/** Some two changes with all that follows them. */
const MAX_STEPS = 250;

export interface CrashReport {
  readonly kills: number;
  /** Changes that were applied in all, and what became of them. */
  readonly changes: number;
  readonly kept: number;
  readonly rolledBack: number;
  /** Changes whose writing was cut short, so that recovery decided. */
  readonly settledByRecovery: number;
  readonly typed: number;
  readonly commits: number;
  /** Sentences; empty when nothing was lost. */
  readonly faults: readonly string[];
}

interface Settled {
  readonly notices: readonly string[];
  readonly receipts: readonly string[];
  readonly steps: number;
  readonly ledger: { readonly intact: boolean; readonly reason: string | null };
  readonly open: number;
  readonly proposals: readonly {
    readonly id: string;
    readonly number: number;
    readonly status: string;
    readonly receipt: string | null;
    readonly whole: boolean;
  }[];
}

export interface Ground {
  readonly repository: TemporaryRepository;
  readonly stateDir: string;
  dispose(): Promise<void>;
}

/** `stateIn` and `treeIn`: folders to make them in, such as small file systems. */
export async function createGround(places: { readonly stateIn?: string } = {}): Promise<Ground> {
  const repository = await createTemporaryRepository(Object.fromEntries(PATHS.map((path) => [path, startText(path)])));
  await repository.write('untracked.txt', 'of the user\n');
  const stateDir = await realpath(await mkdtemp(join(places.stateIn ?? tmpdir(), 'selfware-crash-')));
  await mkdir(stateDir, { recursive: true });
  return {
    repository,
    stateDir,
    dispose: async () =>
      void (await Promise.all([repository.dispose(), rm(stateDir, { recursive: true, force: true, maxRetries: 5 })])),
  };
}

/** `kills` kills in a row on one repository: each run goes on where the last one was killed. */
export async function runCrashes({
  kills,
  seed,
  note = () => {},
}: {
  readonly kills: number;
  readonly seed: number;
  readonly note?: (text: string) => void;
}): Promise<CrashReport> {
  const random = createRandom(seed);
  const ground = await createGround();
  const faults: string[] = [];
  let settledByRecovery = 0;
  let last: Settled | null = null;
  try {
    const before = await gitState(ground.repository);
    for (let kill = 1; kill <= kills; kill += 1) {
      // By the clock in the middle of whatever it does, and by steps: a busy machine comes no further than the first
      // within the time.
      const work = Math.floor(random() * 2 ** 31);
      if (random() < 0.5) await killed(ground, 'work', work, 0, Math.floor(random() ** 2 * LONGEST_MS));
      else await killed(ground, 'work', work, 1 + Math.floor(random() * MAX_STEPS), null);
      const journal = (await readdir(join(ground.stateDir, 'journal')).catch((): string[] => [])).filter((name) =>
        name.endsWith('.entry.json'),
      );
      settledByRecovery += journal.length;
      const { settled, found } = await look(ground, before, kill % 5 === 0);
      last = settled ?? last;
      faults.push(...found.map((fault) => `kill ${kill}: ${fault}`));
      if (found.length > 0) note(`kill ${kill}: ${found[0]}`);
      if (kill % 25 === 0) note(`${kill} kills, ${faults.length} faults`);
    }
    const proposals = last?.proposals ?? [];
    const count = (status: string) => proposals.filter((proposal) => proposal.status === status).length;
    const typed = (await readFile(join(ground.stateDir, 'typed.log'), 'utf8').catch(() => ''))
      .split('\n')
      .filter(Boolean).length;
    const commits = Number(
      (await ground.repository.git('rev-list', '--count', '--all', '--not', 'main', '--glob=refs/selfware/*')).trim(),
    );
    return {
      kills,
      changes: count('kept') + count('rolledBack'),
      kept: count('kept'),
      rolledBack: count('rolledBack'),
      settledByRecovery,
      typed,
      commits,
      faults,
    };
  } finally {
    await ground.dispose();
  }
}

/** Settles as a start would, if wanted `twice`, and says what is not as it must be. */
export async function look(
  ground: Ground,
  before: string,
  twice = true,
): Promise<{ readonly settled: Settled | null; readonly found: readonly string[] }> {
  const { repository, stateDir } = ground;
  const found: string[] = [];
  const settled = await settle(ground).catch(
    (error: unknown) => (found.push(`A start failed: ${String(error)}`), null),
  );
  if (!settled) return { settled, found };
  const texts = new Map<string, string>();
  for (const path of PATHS) texts.set(path, (await repository.read(path)) ?? '');
  const text = (path: string): string => texts.get(path) ?? '';

  if (!settled.ledger.intact) found.push(`The ledger is damaged: ${settled.ledger.reason}`);
  if (settled.open > 0) found.push('The journal is not empty.');
  found.push(...settled.receipts, ...settled.notices.filter((notice) => notice.startsWith('error')));
  const holding = new Set(settled.proposals.filter(({ status }) => status === 'kept').map(({ number }) => number));
  for (const { number, status, receipt } of settled.proposals) {
    const places = placesOf(number, text);
    // A later change of the same lines, in two other files of the three, has one of these in common.
    const shared = [...holding].some((other) => other !== number && other % SLOTS === number % SLOTS);
    if (places[0] !== places[1] && !shared) found.push(`Change ${number} is in one of its files and not in the other.`);
    if (status === 'applied') found.push(`Change ${number} is in probation for ever.`);
    if (status === 'kept' && !places.every(Boolean)) found.push(`Change ${number} is kept, and not in its files.`);
    if (status === 'kept' && receipt === null) found.push(`Change ${number} is kept without a receipt.`);
    if (status !== 'kept' && places.some(Boolean) && !shared)
      found.push(`Change ${number} is ${status}, and in its files.`);
  }
  for (const path of PATHS) {
    const lines = text(path).split(/\r?\n/);
    const missing = startText(path)
      .split(/\r?\n/)
      .filter((line) => line.startsWith('line ') && !lines.includes(line));
    if (missing.length > 0) found.push(`${missing.length} lines of ${path} are gone.`);
  }
  for (const line of (await readFile(join(stateDir, 'typed.log'), 'utf8').catch(() => ''))
    .split('\n')
    .filter(Boolean)) {
    const [path = '', typed = ''] = line.split('\t');
    if (!text(path).includes(typed)) found.push(`What the user typed is gone: ${typed} in ${path}.`);
  }
  const strays = (await readdir(repository.dir, { recursive: true })).filter(
    (name) => !name.startsWith('.git') && name.includes('.selfware-tmp-'),
  );
  if (strays.length > 0) found.push(`Temporary files were left: ${strays.join(', ')}.`);
  const now = await gitState(repository);
  if (now !== before) found.push(`git sees another state:\n${now}`);
  await repository
    .git('fsck', '--strict', '--no-progress', '--no-dangling')
    .catch((error: unknown) => found.push(`git fsck: ${String(error)}`));
  const again = twice ? await settle(ground) : settled;
  if (JSON.stringify(again.proposals) !== JSON.stringify(settled.proposals))
    found.push('A second start changed something.');
  return { settled, found };
}

/**
 * HEAD, branches but ours, index, stash, configuration, work trees: everything of git's that is the user's. The files
 * themselves are looked at by line.
 */
export async function gitState(repository: TemporaryRepository): Promise<string> {
  const parts = [
    ['rev-parse', 'HEAD'],
    ['symbolic-ref', 'HEAD'],
    ['ls-files', '--stage'],
    ['stash', 'list'],
    ['worktree', 'list'],
    ['config', '--list', '--local'],
  ];
  const said = await Promise.all(parts.map((part) => repository.git(...part)));
  const refs = (await repository.git('for-each-ref', '--format=%(refname) %(objectname)'))
    .split('\n')
    .filter((ref) => !ref.startsWith('refs/selfware/') && !ref.startsWith('refs/heads/selfware/'));
  return [
    ...said,
    ...refs,
    createHash('sha256')
      .update((await repository.read('untracked.txt')) ?? '')
      .digest('hex'),
  ].join('\n');
}

export async function settle(ground: Ground): Promise<Settled> {
  const { stdout, code, stderr } = await start(ground, 'settle', 0, 0, null);
  if (code !== 0) throw new Error(stderr.slice(-800));
  return JSON.parse(stdout) as Settled;
}

/** Throws when the process fell over by itself. */
export async function killed(
  ground: Ground,
  action: string,
  seed: number,
  step: number,
  afterMs: number | null,
  env: Readonly<Record<string, string>> = {},
): Promise<boolean> {
  const { signal, code, stderr } = await start(ground, action, seed, step, afterMs, env);
  if (signal !== 'SIGKILL' && code !== 0)
    throw new Error(`The process failed by itself (${code}): ${stderr.slice(-1500)}`);
  return signal === 'SIGKILL';
}

async function start(
  { repository, stateDir }: Ground,
  action: string,
  seed: number,
  step: number,
  afterMs: number | null,
  env: Readonly<Record<string, string>> = {},
): Promise<{
  readonly stdout: string;
  readonly stderr: string;
  readonly code: number | null;
  readonly signal: NodeJS.Signals | null;
}> {
  const file = await findBundledScript(SCRIPT);
  return new Promise((resolve, reject) => {
    const child = spawn(
      process.execPath,
      ['--no-warnings', file, repository.dir, stateDir, action, String(seed), String(step)],
      { env: { ...process.env, ...sharedCode, ...env }, stdio: ['ignore', 'pipe', 'pipe'] },
    );
    const [out, err]: [Buffer[], Buffer[]] = [[], []];
    let timer: NodeJS.Timeout | undefined;
    child.stdout.on('data', (chunk: Buffer) => {
      // The first word of a process is that it begins to work.
      if (out.length === 0 && afterMs !== null) timer = setTimeout(() => child.kill('SIGKILL'), afterMs);
      out.push(chunk);
    });
    child.stderr.on('data', (chunk: Buffer) => err.push(chunk));
    child.on('error', reject);
    child.on('close', (code, signal) => {
      clearTimeout(timer);
      resolve({ stdout: Buffer.concat(out).toString(), stderr: Buffer.concat(err).toString(), code, signal });
    });
  });
}
