// Accesses the user's repository through git's plumbing commands: reads its state, stores pre-images under private
// refs, and changes nothing else.

import { existsSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { createCheckpointStore, readCommittedFile } from './checkpointStore.ts';
import { SelfwareError } from '../../util/typedError.ts';
import { readOutputOrNull, listSettingsWithoutFilters } from './filters.ts';
import { createGitRunner, GitFailure, withTypedErrors, type GitRunner } from './runGit.ts';
import type { Log } from '../../core/ports/system.ts';
import type { Git, RepositoryState } from '../../core/ports/git.ts';

type DirtyKind = Awaited<ReturnType<Git['listUncommittedChanges']>>[number]['kind'];

const STATUS_ADVICE = 'Run `git status` in the repository to see what is wrong.';
/** Arguments of one call that answers two questions, because starting git takes longer than answering. */
const WORK_TREE_QUERY = ['rev-parse', '--is-inside-work-tree', '--show-toplevel'];
const SILENT_LOG: Log = { write: () => undefined };

/**
 * Opens git for `rootDir`, which may be a folder inside the work tree; all paths are relative to `rootDir`. Private
 * indexes are in `stateDir`. Does not reject if git or a repository is missing: `state()` then returns null and logs
 * the reason.
 */
export async function createGit(rootDir: string, stateDir: string, log: Log = SILENT_LOG): Promise<Git> {
  const runner = createGitRunner(rootDir);
  return {
    state: () =>
      withTypedErrors('unavailable', 'git cannot tell the state of the repository.', STATUS_ADVICE, () =>
        readState(runner, rootDir, log),
      ),
    explainUnavailable: () => explainGitFailure(runner, rootDir),
    listUncommittedChanges: () =>
      withTypedErrors('unavailable', 'git cannot tell what has changed.', STATUS_ADVICE, () =>
        readUncommittedChanges(runner),
      ),
    listFilesChangedSince: (commit) =>
      withTypedErrors('unavailable', 'git cannot tell what has changed.', STATUS_ADVICE, () =>
        readDifferingFiles(runner, commit),
      ),
    readAt: (commit, path) =>
      withTypedErrors('unreadable', `${path} could not be read from the commit ${commit}.`, STATUS_ADVICE, async () =>
        readCommittedFile(runner, requireCommitId(commit), (await readPrefix(runner)) + path),
      ),
    ...createCheckpointStore(runner, stateDir),
  };
}

/**
 * True if the folder is in the work tree of a repository that git is willing to read. A configuration may name any
 * folder as the work tree (`core.worktree`), such as the home folder, so the top must contain the `.git` that leads to
 * it.
 */
export async function isInWorkTree(runner: GitRunner, rootDir: string, log: Log = SILENT_LOG): Promise<boolean> {
  try {
    return isTopWithGit((await runner.text(WORK_TREE_QUERY)).replace(/\n$/, ''), log);
  } catch (error) {
    if (!(error instanceof GitFailure)) throw error;
    if (error.exitCode === null) log.write('warn', 'git was not found; the repository is read without it.', error);
    else if (hasGitAbove(rootDir))
      log.write('warn', 'git refuses to read this repository; it is treated as a plain folder.', error);
    return false;
  }
}

/**
 * The reason why git cannot read the repository that contains the folder, as a clause; null if git can read it, or if
 * there is no such repository.
 */
async function explainGitFailure(runner: GitRunner, rootDir: string): Promise<string | null> {
  try {
    const answer = (await runner.text(WORK_TREE_QUERY)).replace(/\n$/, '');
    if (isTopWithGit(answer, SILENT_LOG) || !answer.startsWith('true\n')) return null;
    return `git takes ${answer.slice('true\n'.length)} for the work tree of this folder, which holds no .git`;
  } catch (error) {
    if (!(error instanceof GitFailure)) throw error;
    if (error.exitCode === null) return error.message;
    const lines = error.stderr.split('\n').map((line) => line.trim());
    const message = (lines.find((line) => line.startsWith('fatal: ')) ?? lines[0] ?? '').replace(/^fatal: /, '');
    return hasGitAbove(rootDir) ? `git cannot read this repository (${message || error.message})` : null;
  }
}

/** True if the folder is in a work tree whose top contains a `.git`. `answer`: the output of `WORK_TREE_QUERY`. */
function isTopWithGit(answer: string, log: Log): boolean {
  if (!answer.startsWith('true\n')) return false;
  const top = answer.slice('true\n'.length);
  if (existsSync(join(top, '.git'))) return true;
  log.write(
    'warn',
    `git takes ${top} for the work tree, which holds no .git; the repository is treated as a plain folder.`,
  );
  return false;
}

async function readState(runner: GitRunner, rootDir: string, log: Log): Promise<RepositoryState | null> {
  const committed = await readHeadOrNull(runner, log);
  if (committed === null || (committed === undefined && !(await isInWorkTree(runner, rootDir, log)))) return null;
  if (committed) return committed;
  const head = await readOutputOrNull(runner, ['rev-parse', '--verify', '--quiet', 'HEAD^{commit}']);
  if (head === null) return { head: null, branch: null };
  return { head, branch: findBranch(await readOutputOrNull(runner, ['symbolic-ref', '--quiet', 'HEAD'])) };
}

function findBranch(ref: string | null): string | null {
  return ref?.startsWith('refs/heads/') ? ref.slice('refs/heads/'.length) : ref;
}

/**
 * Reads the state of most repositories with a single process. Null outside of a work tree. Undefined if git fails,
 * because there is no commit or no repository.
 */
async function readHeadOrNull(runner: GitRunner, log: Log): Promise<RepositoryState | null | undefined> {
  try {
    const lines = (await runner.text([...WORK_TREE_QUERY, 'HEAD^{commit}', '--symbolic-full-name', 'HEAD']))
      .replace(/\n$/, '')
      .split('\n');
    const [head = '', ref = ''] = lines.slice(-2);
    // A detached HEAD has no branch.
    return isTopWithGit(lines.slice(0, -2).join('\n'), log)
      ? { head, branch: ref === 'HEAD' ? null : findBranch(ref) }
      : null;
  } catch (error) {
    if (!(error instanceof GitFailure)) throw error;
    return undefined;
  }
}

async function readUncommittedChanges(runner: GitRunner): ReturnType<Git['listUncommittedChanges']> {
  const prefix = await readPrefix(runner);
  const config = await listSettingsWithoutFilters(runner);
  const args = [
    'status',
    '--porcelain=v1',
    '-z',
    '--untracked-files=all',
    '--ignore-submodules=all',
    '--no-renames',
    '--',
    '.',
  ];
  const entries = (await runner.text(args, { config })).split('\0').filter((entry) => entry.length > 3);
  return entries
    .map((entry) => ({ path: entry.slice(3 + prefix.length), kind: classifyChange(entry.slice(0, 2)) }))
    .filter(({ path }) => !path.endsWith('/'));
}

/**
 * Paths of files that differ between a commit and the disk, including untracked files; null if there is no such commit.
 */
async function readDifferingFiles(runner: GitRunner, commit: string): Promise<readonly string[] | null> {
  if (
    (await readOutputOrNull(runner, ['rev-parse', '--verify', '--quiet', `${requireCommitId(commit)}^{commit}`])) ===
    null
  )
    return null;
  const prefix = await readPrefix(runner);
  const config = await listSettingsWithoutFilters(runner);
  const tracked = await runner.text(
    [
      'diff',
      '--name-only',
      '-z',
      '--no-renames',
      '--no-ext-diff',
      '--no-textconv',
      '--ignore-submodules=all',
      commit,
      '--',
      '.',
    ],
    { config },
  );
  const untracked = await runner.text(['ls-files', '-z', '--others', '--exclude-standard', '--full-name', '--', '.']);
  return [
    ...new Set(
      `${tracked}${untracked}`
        .split('\0')
        .filter((path) => path !== '' && !path.endsWith('/'))
        .map((path) => path.slice(prefix.length)),
    ),
  ];
}

/**
 * Returns the text if it is a full commit id. Throws `usage` for anything else, such as an option or another kind of
 * revision.
 */
function requireCommitId(text: string): string {
  if (/^[0-9a-f]{40,64}$/.test(text)) return text;
  throw new SelfwareError('usage', `Not the id of a commit: ${JSON.stringify(text)}.`);
}

/**
 * The path of the root inside the work tree, with a final slash; empty if the root is the top. Throws `notARepository`.
 */
async function readPrefix(runner: GitRunner): Promise<string> {
  return withTypedErrors(
    'notARepository',
    'Uncommitted changes can only be told in a git repository.',
    'Run `git init` and commit once.',
    async () => {
      return (await runner.text(['rev-parse', '--show-prefix'])).replace(/\n$/, '');
    },
  );
}

/**
 * The kind of a change by its two letters XY in the short format of git-status(1): X compares the index with HEAD, and
 * Y the files with the index.
 */
function classifyChange(code: string): DirtyKind {
  if (code === '??') return 'untracked';
  if (code.includes('U') || code === 'AA' || code === 'DD') return 'conflicted';
  if (code.includes('D')) return 'deleted';
  return code.startsWith('A') || code.endsWith('A') ? 'added' : 'modified';
}

function hasGitAbove(folder: string): boolean {
  if (existsSync(join(folder, '.git'))) return true;
  return dirname(folder) !== folder && hasGitAbove(dirname(folder));
}
