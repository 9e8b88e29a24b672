// Creates real folders and git repositories for tests, outside of this checkout.

import { execFile } from 'node:child_process';
import { mkdir, mkdtemp, readFile, realpath, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';

const execFileAsync = promisify(execFile);

/** The folder. `dispose` removes it. */
export interface TemporaryRepository {
  /** Absolute path of the root, without symbolic links. */
  readonly dir: string;
  /** Writes a file and the folders above it. */
  write(path: string, content: string | Uint8Array): Promise<void>;
  /** Text of a file; null if there is no such file. */
  read(path: string): Promise<string | null>;
  /** Runs git in the root and returns its standard output as written. Rejects on a non-zero exit. */
  git(...args: string[]): Promise<string>;
  dispose(): Promise<void>;
}

/**
 * Creates a folder with these files. `git`: false to create no repository; otherwise it is on the branch `main`.
 * `commit`: true to commit all files (default: if there are any). `within`: the folder in which it is created. The
 * identity of the author is set in the repository, and no git configuration of the machine is read.
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
    git: (...args) => runGitIn(dir, args),
    dispose: () => rm(dir, { recursive: true, force: true, maxRetries: 5, retryDelay: 50 }),
  };
  for (const [path, content] of Object.entries(files)) await repository.write(path, content);
  const commit = options.commit ?? Object.keys(files).length > 0;
  const initialise =
    options.format === undefined ? INITIALISE : [`${INIT} --object-format=${options.format}`, ...INITIALISE.slice(1)];
  if (options.git ?? true) await runInShell(dir, commit ? [...initialise, ...COMMIT_ALL] : initialise);
  return repository;
}

/** The environment for git in tests, without the git configuration of the machine and of the caller. */
export function createGitEnvironment(): NodeJS.ProcessEnv {
  const cleanEnvironment = Object.fromEntries(Object.entries(process.env).filter(([name]) => !name.startsWith('GIT_')));
  return { ...cleanEnvironment, GIT_CONFIG_GLOBAL: '/dev/null', GIT_CONFIG_NOSYSTEM: '1', GIT_TERMINAL_PROMPT: '0' };
}

/** Switches off the maintenance process that git starts after each commit. */
const WITHOUT_UPKEEP = { GIT_CONFIG_COUNT: '1', GIT_CONFIG_KEY_0: 'maintenance.auto', GIT_CONFIG_VALUE_0: 'false' };

function gitEnvironment(): NodeJS.ProcessEnv {
  return { ...createGitEnvironment(), ...WITHOUT_UPKEEP };
}

/**
 * The lines that `git config` would write. Running git for each takes four processes in every test with a repository.
 */
const CONFIGURATION = `[user]
	name = Test Person
	email = test@example.com
[commit]
	gpgSign = false
[core]
	autocrlf = false
`;

// The empty template avoids copying the sample hooks into each of the hundreds of repositories.
const INIT = 'git init --quiet --template= --initial-branch main';
const INITIALISE = [INIT, 'mkdir -p .git/info .git/hooks', `printf %s '${CONFIGURATION}' >> .git/config`];
const COMMIT_ALL = ['git add --all', "git commit --quiet --allow-empty --message 'Initial state'"];

/**
 * Runs commands in one shell. Each start of a process copies the page tables of its parent, which are large in
 * processes of tests and small in a shell.
 */
async function runInShell(dir: string, commands: readonly string[]): Promise<void> {
  await execFileAsync('/bin/sh', ['-c', commands.join(' && ')], { cwd: dir, env: gitEnvironment() });
}

async function runGitIn(dir: string, args: readonly string[]): Promise<string> {
  const { stdout } = await execFileAsync('git', args, {
    cwd: dir,
    env: gitEnvironment(),
    maxBuffer: 64 * 1024 * 1024,
  });
  return stdout;
}
