// A sandbox adapter on a temporary repository, and what shows that the repository is as it was.

import { createHash } from 'node:crypto';
import { lstat, mkdtemp, readdir, readFile, readlink, realpath, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createSandbox } from '../../../server/src/adapters/sandbox/sandbox.ts';
import { chooseIsolation, type ChosenIsolation } from '../../../server/src/adapters/sandbox/isolation/choose.ts';
import { computeMachineLimits, type CommandLimits } from '../../../server/src/adapters/sandbox/limits.ts';
import type { SharedPackageTree } from '../../../server/src/adapters/sandbox/sharePackages.ts';
import { createIds, systemClock } from '../../../server/src/adapters/system/system.ts';
import { createTemporaryRepository, type TemporaryRepository } from '../../helpers/temporaryRepository.ts';
import type { Log } from '../../../server/src/core/ports/system.ts';
import type { Sandbox, Worktree } from '../../../server/src/core/ports/sandbox.ts';

export const silentLog: Log = { write: () => undefined };
export const never = new AbortController().signal;

export interface SandboxOf {
  readonly repository: TemporaryRepository;
  readonly stateDir: string;
  readonly sandbox: Sandbox;
  open(): Promise<Worktree>;
  [Symbol.asyncDispose](): Promise<void>;
}

/** What commands of the tests use of this checkout; below a temporary folder it would be hidden. */
const OURS = ['node_modules', 'server', 'dist'].map((name) => join(import.meta.dirname, '..', '..', '..', name));

interface Lent {
  /** Packages are lent as links, as where no overlay works. */
  readonly links?: boolean;
  readonly kept?: readonly SharedPackageTree[];
}

export async function sandboxOf(
  files: Readonly<Record<string, string | Uint8Array>>,
  options: {
    readonly git?: boolean;
    readonly commit?: boolean;
    readonly below?: string;
    readonly limits?: Partial<CommandLimits>;
  } & Lent = {},
): Promise<SandboxOf> {
  const repository = await createTemporaryRepository(files, options);
  const stateDir = await realpath(await mkdtemp(join(tmpdir(), 'selfware-state-')));
  const here = (): Promise<ChosenIsolation> => chooseIsolation({ stateDir, repository: repository.dir });
  const sandbox = createSandbox(join(repository.dir, options.below ?? ''), stateDir, {
    clock: systemClock,
    ids: createIds(systemClock),
    log: silentLog,
    shownFolders: OURS,
    limits: { ...computeMachineLimits(), ...options.limits },
    ...(options.links ? { chooseMechanism: async () => ({ ...(await here()), supportsOverlays: false }) } : {}),
    choosePackages: async () => ({
      storedTrees: options.kept ?? [],
      sharesInstalled: true,
      programs: [],
      shownFolders: [],
    }),
  });
  const opened: Worktree[] = [];
  return {
    repository,
    stateDir,
    sandbox,
    async open() {
      const worktree = await sandbox.open(never);
      opened.push(worktree);
      return worktree;
    },
    async [Symbol.asyncDispose]() {
      for (const worktree of opened) await worktree.dispose();
      await repository.dispose();
      await rm(stateDir, { recursive: true, force: true });
    },
  };
}

/** Every file of a folder with its mode and a hash of its bytes, `.git` included: index, HEAD, refs, objects. */
export async function fingerprint(dir: string, path = ''): Promise<Record<string, string>> {
  const prints: Record<string, string> = {};
  for (const name of (await readdir(join(dir, path))).sort()) {
    const below = path === '' ? name : `${path}/${name}`;
    const stat = await lstat(join(dir, below));
    if (stat.isDirectory()) Object.assign(prints, await fingerprint(dir, below));
    else
      prints[below] = stat.isSymbolicLink()
        ? `-> ${await readlink(join(dir, below))}`
        : `${stat.mode.toString(8)} ${stat.mtimeMs} ${createHash('sha256')
            .update(await readFile(join(dir, below)))
            .digest('hex')}`;
  }
  return prints;
}

/**
 * Processes that live in sandboxes below `dir`, by their home folder: in a process namespace they have other numbers
 * inside.
 */
export async function livingIn(dir: string): Promise<{ readonly home: string; readonly command: string }[]> {
  const found: { home: string; command: string }[] = [];
  for (const pid of (await readdir('/proc')).filter((name) => /^\d+$/.test(name))) {
    const [environment = '', command = ''] = await Promise.all(
      ['environ', 'cmdline'].map((file) => readFile(`/proc/${pid}/${file}`, 'latin1').catch(() => '')),
    );
    const home = environment.split('\0').find((entry) => entry.startsWith(`HOME=${dir}/`));
    if (home !== undefined) found.push({ home, command });
  }
  return found;
}

/** Waits on a condition, because a killed process is gone a moment later. Rejects after `seconds`. */
export async function until(condition: () => boolean | Promise<boolean>, seconds = 120): Promise<void> {
  const end = Date.now() + seconds * 1000;
  while (!(await condition())) {
    if (Date.now() > end) throw new Error(`Not so within ${seconds} s.`);
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
}

export function bytesOf(text: string): Uint8Array {
  return new TextEncoder().encode(text);
}
