// Real folders and real git repositories for tests, outside this checkout, removed afterwards.

import { execFile } from 'node:child_process';
import { mkdir, mkdtemp, readFile, realpath, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';

const execFileAsync = promisify(execFile);

export interface TemporaryRepository {
  /** Absolute, symlink-free path of the root. */
  readonly dir: string;
  /** Writes a file and the folders above it. */
  write(path: string, content: string | Uint8Array): Promise<void>;
  /** Text of a file; null when there is none. */
  read(path: string): Promise<string | null>;
  /** Runs git in the root and returns its standard output as written. Rejects on a non-zero exit. */
  git(...args: string[]): Promise<string>;
  dispose(): Promise<void>;
}

/**
 * Makes a folder with `files`. With `git` (default) it is a repository on branch `main`; with `commit` (default: when
 * there are files) everything is committed. The identity is local, and no configuration of the machine is read.
 */
export async function createTemporaryRepository(
  files: Readonly<Record<string, string | Uint8Array>>,
  options: {
    readonly git?: boolean;
    readonly commit?: boolean;
    readonly within?: string;
    /** The object format, if it is not git's default. */
    readonly format?: 'sha256';
  } = {},
): Promise<TemporaryRepository> {
  const dir = await realpath(await mkdtemp(join(options.within ?? tmpdir(), 'selfware-test-')));
  const repository: TemporaryRepository = {
    dir,
    async write(path, content) {
      const target = join(dir, path);
      await mkdir(dirname(target), { recursive: true });
      await writeFile(target, content);
    },
    async read(path) {
      try {
        return await readFile(join(dir, path), 'utf8');
      } catch (error) {
        if ((error as NodeJS.ErrnoException).code === 'ENOENT') return null;
        throw error;
      }
    },
    git: (...args) => gitIn(dir, args),
    dispose: () => rm(dir, { recursive: true, force: true, maxRetries: 5, retryDelay: 50 }),
  };
  for (const [path, content] of Object.entries(files)) await repository.write(path, content);
  const commit = options.commit ?? Object.keys(files).length > 0;
  const initialise =
    options.format === undefined ? INITIALISE : [`${INIT} --object-format=${options.format}`, ...INITIALISE.slice(1)];
  if (options.git ?? true) await inShell(dir, commit ? [...initialise, ...COMMIT_ALL] : initialise);
  return repository;
}

/** Environment for git in tests: nothing of the machine's or the caller's git configuration leaks in. */
export function cleanGitEnvironment(): NodeJS.ProcessEnv {
  const kept = Object.fromEntries(Object.entries(process.env).filter(([name]) => !name.startsWith('GIT_')));
  return { ...kept, GIT_CONFIG_GLOBAL: '/dev/null', GIT_CONFIG_NOSYSTEM: '1', GIT_TERMINAL_PROMPT: '0' };
}

/** Switches off the process that git starts after each commit to ask whether the repository needs packing. */
const WITHOUT_UPKEEP = { GIT_CONFIG_COUNT: '1', GIT_CONFIG_KEY_0: 'maintenance.auto', GIT_CONFIG_VALUE_0: 'false' };

function gitEnvironment(): NodeJS.ProcessEnv {
  return { ...cleanGitEnvironment(), ...WITHOUT_UPKEEP };
}

/** What `git config` would write; asking git for each line takes four processes, in every test with a repository. */
const CONFIGURATION = `[user]
	name = Test Person
	email = test@example.com
[commit]
	gpgSign = false
[core]
	autocrlf = false
`;

// Without the samples of hooks, which would be copied into each of the hundreds of repositories.
const INIT = 'git init --quiet --template= --initial-branch main';
const INITIALISE = [INIT, 'mkdir -p .git/info .git/hooks', `printf %s '${CONFIGURATION}' >> .git/config`];
const COMMIT_ALL = ['git add --all', "git commit --quiet --allow-empty --message 'Initial state'"];

/**
 * Runs commands in one shell. The processes of tests are large, and starting another one copies their tables of pages;
 * a shell is small.
 */
async function inShell(dir: string, commands: readonly string[]): Promise<void> {
  await execFileAsync('/bin/sh', ['-c', commands.join(' && ')], { cwd: dir, env: gitEnvironment() });
}

async function gitIn(dir: string, args: readonly string[]): Promise<string> {
  const { stdout } = await execFileAsync('git', args, {
    cwd: dir,
    env: gitEnvironment(),
    maxBuffer: 64 * 1024 * 1024,
  });
  return stdout;
}
