// Reads the current content of the user's repository with git, without writing anything there.

import { existsSync } from 'node:fs';
import { lstat, readdir, realpath } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { SelfwareError } from '../../util/typedError.ts';
import { readRegular } from '../files/safeRead.ts';
import { findRepositoriesAround } from '../files/stateFolder.ts';
import { isInWorkTree } from '../git/git.ts';
import { listPaths } from '../git/gitListing.ts';
import { createGitRunner, hasExitCode, GitFailure, type GitRunner } from '../git/runGit.ts';
import type { Log } from '../../core/ports/system.ts';
import { isInside } from './isInside.ts';

/** The content of the user's repository at one moment. */
export interface RepositoryContent {
  /** Absolute path of the work tree's top. */
  readonly top: string;
  /** Path of the root below `top`, with a slash at its end; empty if the root is `top`. */
  readonly prefix: string;
  /** The id of the commit that is checked out. */
  readonly head: string;
  /** The hash function of the repository's objects, such as `sha1`. */
  readonly objectFormat: string;
  /**
   * Real path of the repository's own object store. Null if the store borrows objects, or belongs to another
   * repository, so that the sandbox must not read it.
   */
  readonly objects: string | null;
  /** Text of the shallow file; null for a complete history. */
  readonly shallow: string | null;
  /** Branches, tags and remote branches, as lines of a packed-refs file. */
  readonly refs: string;
  /** Tracked files, and untracked ones that are not ignored, too large or in packages. Relative to `top`. */
  readonly files: readonly string[];
  /** Paths of submodules; their content is skipped. */
  readonly submodules: readonly string[];
}

/**
 * The content of a sandbox that shows nothing of the repository that contains `rootDir`, nor of the repositories around
 * it. `top` is the top of the outermost of them.
 */
export async function createEmptyContent(rootDir: string): Promise<RepositoryContent> {
  const realRoot = await realpath(rootDir);
  const top = findRepositoriesAround(realRoot).at(-1) ?? realRoot;
  const emptyState = { prefix: '', head: '', objectFormat: '', objects: null, shallow: null, refs: '' };
  return { top, ...emptyState, files: [], submodules: [] };
}

/** Maximum number of bytes of an untracked file. A larger one is not source. */
const MAX_UNTRACKED_BYTES = 5 * 1024 * 1024;
/** Arguments of `git rev-parse` for each question, in the order of the answers. */
const GIT_QUERIES: readonly (readonly string[])[] = [
  ['--path-format=absolute', '--show-toplevel'],
  ['--path-format=absolute', '--git-path', 'objects'],
  ['--path-format=absolute', '--git-path', 'shallow'],
  ['--path-format=absolute', '--git-common-dir'],
  ['--show-object-format'],
  ['--show-prefix'],
];

/**
 * Reads the content of the repository that contains `rootDir`. Throws `notARepository`, `noCommit`, `cancelled`, and
 * the errors of git and of reading files.
 */
export async function readRepositoryContent(
  rootDir: string,
  log: Log,
  signal: AbortSignal,
): Promise<RepositoryContent> {
  const rootGit = createGitRunner(rootDir);
  const [top = '', objectFolder = '', shallowFile = '', commonFolder = '', objectFormat = '', prefix = '', head = ''] =
    (await readAnswersByOneProcess(rootGit, signal)) ?? (await readAnswersByProcesses(rootGit, rootDir, log, signal));

  const topGit = createGitRunner(top);
  const [listed, refs] = await Promise.all([
    listPaths(topGit, signal),
    topGit.text(['for-each-ref', '--format=%(objectname) %(refname)', 'refs/heads', 'refs/tags', 'refs/remotes'], {
      signal,
    }),
  ]);
  const { tracked } = listed;
  const submodules = [...listed.submodules];
  const untracked = await selectPathsToCopy(top, listed.untracked);
  const objects = await resolveOwnStore(top, objectFolder, commonFolder);
  const shallow = await readTextIfExists(shallowFile);
  return { top, prefix, head, objectFormat, objects, shallow, refs, files: [...tracked, ...untracked], submodules };
}

/**
 * The answers to `GIT_QUERIES`, and the current commit, by one process. That suffices for most repositories. Null if
 * the output is ambiguous, if the top has no `.git`, or if git fails.
 */
async function readAnswersByOneProcess(runner: GitRunner, signal: AbortSignal): Promise<readonly string[] | null> {
  try {
    const text = await runner.text(['rev-parse', '--is-inside-work-tree', ...GIT_QUERIES.flat(), 'HEAD^{commit}'], {
      signal,
    });
    const [insideText, ...lines] = text.replace(/\n$/, '').split('\n');
    const hasAllAnswers = insideText === 'true' && lines.length === GIT_QUERIES.length + 1;
    return hasAllAnswers && existsSync(join(lines[0] ?? '', '.git')) ? lines : null;
  } catch (error) {
    if (!(error instanceof GitFailure)) throw error;
    return null;
  }
}

/**
 * The answers to `GIT_QUERIES`, and the current commit, by several processes. Throws `notARepository` and `noCommit`,
 * which a single process cannot distinguish.
 */
async function readAnswersByProcesses(
  runner: GitRunner,
  rootDir: string,
  log: Log,
  signal: AbortSignal,
): Promise<readonly string[]> {
  if (!(await isInWorkTree(runner, rootDir, log))) {
    throw new SelfwareError(
      'notARepository',
      'A proposal is tried out in a copy of the repository made by git, and this folder is not a git repository.',
      { action: 'Run `git init` and commit once.' },
    );
  }
  const head = await readHead(runner, signal);
  return [...(await runRevParse(runner, GIT_QUERIES, signal)), head];
}

/**
 * The answers of `git rev-parse` to all questions, in one call. A path may contain line breaks: if there are more lines
 * than questions, each question is asked separately.
 */
async function runRevParse(
  runner: GitRunner,
  questions: readonly (readonly string[])[],
  signal: AbortSignal,
): Promise<readonly string[]> {
  const ask = async (question: readonly string[]): Promise<string> =>
    (await runner.text(['rev-parse', ...question], { signal })).replace(/\n$/, '');
  const combinedAnswers = (await ask(questions.flat())).split('\n');
  return combinedAnswers.length === questions.length ? combinedAnswers : Promise.all(questions.map(ask));
}

async function readHead(runner: GitRunner, signal: AbortSignal): Promise<string> {
  try {
    return (await runner.text(['rev-parse', '--verify', '--quiet', 'HEAD^{commit}'], { signal })).trim();
  } catch (error) {
    if (!hasExitCode(error, 1)) throw error;
    throw new SelfwareError(
      'noCommit',
      'A proposal is tried out in a copy of the repository made by git, and this repository has no commit yet.',
      { action: 'Commit once.', cause: error },
    );
  }
}

/**
 * The untracked paths to copy: without nested repositories (their paths end with a slash), packages and large files.
 */
async function selectPathsToCopy(top: string, paths: readonly string[]): Promise<string[]> {
  const candidates = paths.filter(
    (path) => path !== '' && !path.endsWith('/') && !path.split('/').includes('node_modules'),
  );
  const isSmallFile = await Promise.all(candidates.map((path) => isSmall(join(top, path))));
  return candidates.filter((_, index) => isSmallFile[index]);
}

async function isSmall(file: string): Promise<boolean> {
  try {
    return (await lstat(file)).size <= MAX_UNTRACKED_BYTES;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return false;
    throw error;
  }
}

/**
 * The object store, if this repository owns it, so that commands may read it; otherwise null. A store that borrows
 * objects (`objects/info/alternates`), or that is elsewhere because of a link or a `.git` file, would show them another
 * repository's history.
 */
async function resolveOwnStore(top: string, objects: string, commonFolder: string): Promise<string | null> {
  const [store, realTop] = await Promise.all([objects, top].map((path) => realpath(path).catch(() => null)));
  if (!store || !realTop) return null;
  if ((await readTextIfExists(join(store, 'info', 'alternates')))?.split('\n').some((line) => line.trim() !== ''))
    return null;
  return isInside(realTop, store) || (await isLinkedWorkTree(commonFolder, realTop)) ? store : null;
}

/**
 * True if the repository has `top` as a linked work tree. It stores the places of its linked work trees itself, and no
 * work tree can write them (gitrepository-layout(5)).
 */
async function isLinkedWorkTree(commonFolder: string, top: string): Promise<boolean> {
  const names = await readdir(join(commonFolder, 'worktrees')).catch(() => []);
  const places = await Promise.all(
    names.map((name) => readTextIfExists(join(commonFolder, 'worktrees', name, 'gitdir'))),
  );
  const workTrees = await Promise.all(places.map((place) => realpath(dirname((place ?? '').trim())).catch(() => null)));
  return workTrees.includes(top);
}

async function readTextIfExists(file: string): Promise<string | null> {
  try {
    return Buffer.from(await readRegular(file, file)).toString('utf8');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return null;
    throw error;
  }
}
