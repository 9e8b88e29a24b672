// What the user's repository holds right now, asked of git without writing anything there.

import { lstat } from 'node:fs/promises';
import { isAbsolute, join, resolve } from 'node:path';
import type { Log } from '../../core/ports.ts';
import { SelfwareError } from '../../util/typedError.ts';
import { readRegular } from '../files/door.ts';
import { isInWorkTree } from '../git/git.ts';
import { createGitRunner, endedWith, type GitRunner } from '../git/runGit.ts';

export interface RepositoryContent {
  /** Absolute path of the work tree's top. */
  readonly top: string;
  /** Path of the root below `top`, with a slash at its end, or nothing. */
  readonly prefix: string;
  readonly head: string;
  readonly objectFormat: string;
  /** Folders that hold objects, the repository's own first. */
  readonly objectFolders: readonly string[];
  /** Text of the shallow file; null for a whole history. */
  readonly shallow: string | null;
  /** Branches, tags and remote branches, as lines of a packed-refs file. */
  readonly refs: string;
  /** Tracked files and untracked ones that are not ignored, relative to `top`. */
  readonly files: readonly string[];
  /** Where submodules belong; their content is left out. */
  readonly submodules: readonly string[];
}

const SUBMODULE = '160000';
/** An untracked file larger than this is no source. */
const UNTRACKED_BYTES = 5 * 1024 * 1024;

/** Throws `notARepository`, `noCommit`, `cancelled`. */
export async function readRepositoryContent(rootDir: string, log: Log, signal: AbortSignal): Promise<RepositoryContent> {
  const inRoot = createGitRunner(rootDir);
  if (!(await isInWorkTree(inRoot, rootDir, log))) {
    throw new SelfwareError('notARepository', 'A proposal is verified in a copy of the repository made by git, and this folder is not a git repository.', { action: 'Run `git init` and commit once.' });
  }
  const head = await headOf(inRoot, signal);
  // One at a time: a path may hold line breaks itself.
  const ask = async (...question: string[]): Promise<string> => (await inRoot.text(['rev-parse', ...question], { signal })).replace(/\n$/, '');
  const [top, objects, shallowFile, objectFormat, prefix] = await Promise.all([
    ask('--path-format=absolute', '--show-toplevel'),
    ask('--path-format=absolute', '--git-path', 'objects'),
    ask('--path-format=absolute', '--git-path', 'shallow'),
    ask('--show-object-format'),
    ask('--show-prefix'),
  ]);

  const inTop = createGitRunner(top);
  const [staged, others, refs] = await Promise.all([
    inTop.text(['ls-files', '-z', '--stage'], { signal }),
    inTop.text(['ls-files', '-z', '--others', '--exclude-standard'], { signal }),
    inTop.text(['for-each-ref', '--format=%(objectname) %(refname)', 'refs/heads', 'refs/tags', 'refs/remotes'], { signal }),
  ]);
  const tracked = new Set<string>();
  const submodules: string[] = [];
  for (const entry of staged.split('\0')) {
    const path = entry.slice(entry.indexOf('\t') + 1);
    if (path === '') continue;
    if (entry.startsWith(SUBMODULE)) submodules.push(path);
    else tracked.add(path);
  }
  const untracked = await worthCopying(top, others.split('\0'));
  return { top, prefix, head, objectFormat, objectFolders: [objects, ...(await alternatesOf(objects))], shallow: await textOrNull(shallowFile), refs, files: [...tracked, ...untracked], submodules };
}

async function headOf(runner: GitRunner, signal: AbortSignal): Promise<string> {
  try {
    return (await runner.text(['rev-parse', '--verify', '--quiet', 'HEAD^{commit}'], { signal })).trim();
  } catch (error) {
    if (!endedWith(error, 1)) throw error;
    throw new SelfwareError('noCommit', 'A proposal is verified in a copy of the repository made by git, and this repository has no commit yet.', { action: 'Commit once.', cause: error });
  }
}

/** Nested repositories (their paths end with a slash), installed packages and large files are left out. */
async function worthCopying(top: string, paths: readonly string[]): Promise<string[]> {
  const candidates = paths.filter((path) => path !== '' && !path.endsWith('/') && !path.split('/').includes('node_modules'));
  const small = await Promise.all(candidates.map((path) => isSmall(join(top, path))));
  return candidates.filter((_, index) => small[index]);
}

async function isSmall(file: string): Promise<boolean> {
  try {
    return (await lstat(file)).size <= UNTRACKED_BYTES;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return false;
    throw error;
  }
}

/**
 * A repository may itself borrow objects; relative entries count from its objects folder. Commands will see these folders, and a
 * repository that came as an archive may name any: one that is no store of objects is left out.
 */
async function alternatesOf(objects: string): Promise<string[]> {
  const text = (await textOrNull(join(objects, 'info', 'alternates'))) ?? '';
  const folders = text.split('\n').filter((line) => line !== '' && !line.startsWith('#')).map((line) => (isAbsolute(line) ? line : resolve(objects, line)));
  const stores = await Promise.all(folders.map(isStore));
  return folders.filter((_, at) => stores[at]);
}

/** gitrepository-layout(5): git makes both folders in every store. */
async function isStore(folder: string): Promise<boolean> {
  const parts = await Promise.all(['info', 'pack'].map((name) => lstat(join(folder, name)).catch(() => null)));
  return parts.every((part) => part?.isDirectory() ?? false);
}

async function textOrNull(file: string): Promise<string | null> {
  try {
    return Buffer.from(await readRegular(file, file)).toString('utf8');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return null;
    throw error;
  }
}
