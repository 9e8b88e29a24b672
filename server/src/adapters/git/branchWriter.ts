// Commits to a branch of the user's choice. HEAD, index and work tree stay as they are, unless the user asks for the
// checked-out branch.

import { createHash, randomBytes } from 'node:crypto';
import { mkdir, readdir, realpath, rm, symlink, writeFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { SelfwareError } from '../../util/typedError.ts';
import { openFoldersAbove } from '../files/heldFolder.ts';
import { requireIdentity } from './committerIdentity.ts';
import { createUserGit, selectLastLines, type UserGit } from './userGit.ts';
import type { BranchTransaction, BranchWriter, CommitFile } from '../../core/ports/git.ts';

/** Length of an id in the object format SHA-1. */
const SHA1_LENGTH = 40;
/** Names of hooks that `git commit` runs. If one of them exists, `git commit` creates the commit. */
const COMMIT_HOOKS = ['pre-commit', 'prepare-commit-msg', 'commit-msg', 'post-commit'];
/** Names of files and folders in git's folder that exist during a merge, cherry-pick, revert or rebase. */
const OPERATION_MARKERS = ['MERGE_HEAD', 'CHERRY_PICK_HEAD', 'REVERT_HEAD', 'rebase-merge', 'rebase-apply'];

/**
 * Creates the writer. `rootDir` may be a folder in the work tree; paths are relative to it. Private files are in
 * `stateDir`/commits. `open` throws `usage`, `forbidden`, `noCommit` and `unavailable`.
 */
export function createBranchWriter(
  rootDir: string,
  stateDir: string,
  env: Readonly<Record<string, string | undefined>> = process.env,
): BranchWriter {
  const git = createUserGit(rootDir, env);
  return {
    async open(branch, { checkedOut }, signal) {
      const name =
        checkedOut && branch === null
          ? (await git.text(['symbolic-ref', '--short', 'HEAD'], { signal })).trim()
          : (branch ?? '');
      const ref = `refs/heads/${name}`;
      if ((await git.ask(['check-ref-format', '--branch', name], { signal })).code !== 0)
        throw new SelfwareError('usage', `${JSON.stringify(name)} is not a valid branch name.`);
      const holder = (await git.text(['worktree', 'list', '--porcelain'], { signal }))
        .split('\n\n')
        .find((entry) => entry.split('\n').includes(`branch ${ref}`));
      if (holder && !checkedOut)
        throw new SelfwareError('forbidden', `${name} is checked out.`, {
          action: 'Name another branch, or use the checked-out one (--checked-out).',
        });
      const oldTip = await findId(git, `${ref}^{commit}`);
      if (checkedOut) await throwIfUnclean(git, name, ref, oldTip);
      const tip = oldTip ?? (await findId(git, 'HEAD^{commit}'));
      if (tip === null)
        throw new SelfwareError('noCommit', 'There is no commit to start from.', { action: 'Commit once.' });
      await requireIdentity(rootDir, env, signal);
      const prefix = (await git.text(['rev-parse', '--show-prefix'], { signal })).replace(/\n$/, '');
      const top = (await git.text(['rev-parse', '--show-toplevel'], { signal })).replace(/\n$/, '');
      const folder = join(stateDir, 'commits');
      await deleteLeftovers(git, folder);
      await mkdir(folder, { recursive: true, mode: 0o700 });
      return createTransaction(
        {
          git,
          folder,
          top,
          prefix,
          name,
          ref,
          oldTip,
          isCheckedOut: checkedOut,
          hooksFolder: await findHooksFolder(git, rootDir, top),
          isSigned:
            (await git.ask(['config', '--type=bool', '--get', 'commit.gpgsign'])).stdout.toString().trim() === 'true',
        },
        tip,
        signal,
      );
    },
  };
}

/** The branch to which a transaction commits. */
interface BranchTarget {
  readonly git: UserGit;
  readonly folder: string;
  readonly top: string;
  readonly prefix: string;
  readonly name: string;
  readonly ref: string;
  readonly oldTip: string | null;
  readonly isCheckedOut: boolean;
  /** Folder with at least one of `COMMIT_HOOKS`; null if there is no such folder. */
  readonly hooksFolder: string | null;
  readonly isSigned: boolean;
}

function createTransaction(target: BranchTarget, start: string, signal: AbortSignal): BranchTransaction {
  const { git, folder, prefix } = target;
  let tip = start;
  const touchedPaths = new Set<string>();
  const work: BranchTransaction = {
    branch: target.name,
    start,
    async read(path) {
      const [entry = ''] = (
        await git.text(['--literal-pathspecs', 'ls-tree', '-z', '--full-tree', tip, '--', prefix + path])
      ).split('\0');
      const [mode, type, id] = entry.split(/[ \t]/);
      if (type !== 'blob' || !id || !mode) return null;
      return { bytes: (await git.ask(['cat-file', 'blob', id])).stdout, mode: Number.parseInt(mode.slice(-3), 8) };
    },
    async toStoredBytes(path, bytes) {
      const attribute = (await git.text(['check-attr', '-z', 'filter', '--', path])).split('\0')[2];
      if (attribute !== undefined && attribute !== 'unspecified' && attribute !== 'unset')
        throw new SelfwareError('unavailable', `${path} goes through the filter ${attribute} when it is committed.`, {
          action: 'Commit it yourself.',
        });
      const id = (await git.text(['hash-object', '-w', '--stdin', '--path', path], { stdin: bytes })).trim();
      return id === computeBlobId(bytes, id) ? Buffer.from(bytes) : (await git.ask(['cat-file', 'blob', id])).stdout;
    },
    async commit(files, message) {
      tip =
        target.hooksFolder === null
          ? await commitByPlumbing(target, tip, files, message, signal)
          : await commitWithHooks(target, target.hooksFolder, tip, files, message, signal);
      for (const { path } of files) touchedPaths.add(path);
      return tip;
    },
    async finish() {
      if (tip === start && target.oldTip !== null) return;
      // Updates the index first: if the process dies in between, the change is staged, as if by hand.
      if (target.isCheckedOut) await updateIndex(target, tip, [...touchedPaths]);
      const { code, stderr } = await git.ask([
        'update-ref',
        '-m',
        'selfware: kept changes',
        target.ref,
        tip,
        // An empty value means that the branch must not exist yet.
        target.oldTip ?? '',
      ]);
      if (code !== 0)
        throw new SelfwareError('stale', `${target.name} was moved in the meantime: ${selectLastLines(stderr)}`, {
          action: 'Try again.',
        });
    },
    dispose: () => deleteLeftovers(git, folder),
  };
  return work;
}

/** Creates the commit without a work tree, because no hook needs one. Returns its id. */
async function commitByPlumbing(
  { git, folder, prefix, isSigned }: BranchTarget,
  tip: string,
  files: readonly CommitFile[],
  message: string,
  signal: AbortSignal,
): Promise<string> {
  const indexFile = join(folder, `${randomBytes(6).toString('hex')}.index`);
  try {
    await git.text(['read-tree', tip], { indexFile, signal });
    const lines: string[] = [];
    for (const { path, bytes, mode } of files) {
      const id =
        bytes === null
          ? createNullId(tip)
          : (await git.text(['hash-object', '-w', '--no-filters', '--stdin'], { stdin: bytes })).trim();
      lines.push(`${bytes === null ? '0' : mode & 0o111 ? '100755' : '100644'} ${id}\t${prefix}${path}\0`);
    }
    await git.text(['update-index', '-z', '--index-info'], { indexFile, stdin: lines.join('') });
    const tree = (await git.text(['write-tree'], { indexFile })).trim();
    return (
      await git.text(['commit-tree', ...(isSigned ? ['-S'] : []), '-p', tip, '-F', '-', tree], {
        stdin: message,
        signal,
      })
    ).trim();
  } finally {
    await rm(indexFile, { force: true });
  }
}

/**
 * Creates the commit by the user's own `git commit` in a linked work tree, so that hooks, signing and templates work as
 * usual. Removes the work tree afterwards. Returns the id of the commit. Throws `forbidden` if git refuses the commit.
 */
async function commitWithHooks(
  { git, folder, top, prefix }: BranchTarget,
  hooks: string,
  tip: string,
  files: readonly CommitFile[],
  message: string,
  signal: AbortSignal,
): Promise<string> {
  const workTreeFolder = join(folder, `tree-${randomBytes(6).toString('hex')}`);
  try {
    await git.text(['worktree', 'add', '--quiet', '--detach', workTreeFolder, tip], { signal });
    // Hooks run programs that are installed in the user's work tree. Only the changed files are added, so the link is
    // not committed.
    await symlink(join(top, 'node_modules'), join(workTreeFolder, 'node_modules')).catch(() => undefined);
    for (const { path, bytes, mode } of files) {
      // In the branch, a folder above the file may be a link.
      await using target = await openFoldersAbove(
        await realpath(workTreeFolder),
        (prefix + path).split('/'),
        (folder) => mkdir(folder),
      );
      await rm(target!.file, { force: true });
      if (bytes !== null) await writeFile(target!.file, bytes, { flag: 'wx', mode: mode & 0o111 ? 0o755 : 0o644 });
    }
    await git.text(['--literal-pathspecs', 'add', '--all', '--', ...files.map(({ path }) => prefix + path)], {
      cwd: workTreeFolder,
      signal,
    });
    const { code, stdout, stderr } = await git.ask(['commit', '--quiet', '--cleanup=verbatim', '-F', '-'], {
      cwd: workTreeFolder,
      hooks,
      stdin: message,
      signal,
    });
    if (code !== 0)
      throw new SelfwareError(
        'forbidden',
        `A hook of the repository, or its signing, refused the commit: ${selectLastLines(stderr || stdout.toString())}`,
      );
    return (await git.text(['rev-parse', 'HEAD'], { cwd: workTreeFolder })).trim();
  } finally {
    await git.ask(['worktree', 'remove', '--force', workTreeFolder]);
    await rm(workTreeFolder, { recursive: true, force: true });
  }
}

/**
 * Updates the user's own index for the committed files, so that `git status` has the same output as after a commit by
 * hand.
 */
async function updateIndex({ git, prefix }: BranchTarget, tip: string, paths: readonly string[]): Promise<void> {
  const lines: string[] = [];
  for (const path of paths) {
    const [entry = ''] = (
      await git.text(['--literal-pathspecs', 'ls-tree', '-z', '--full-tree', tip, '--', prefix + path])
    ).split('\0');
    const [mode, , id] = entry.split(/[ \t]/);
    lines.push(entry === '' ? `0 ${createNullId(tip)}\t${prefix}${path}\0` : `${mode} ${id}\t${prefix}${path}\0`);
  }
  if (lines.length > 0) await git.text(['update-index', '-z', '--index-info'], { stdin: lines.join('') });
}

/**
 * Throws `forbidden` unless `ref` is checked out, nothing is staged, and no merge, rebase, cherry-pick or revert is
 * under way.
 */
async function throwIfUnclean(git: UserGit, name: string, ref: string, oldTip: string | null): Promise<void> {
  const head = (await git.ask(['symbolic-ref', '--quiet', 'HEAD'])).stdout.toString().trim();
  if (head !== ref || oldTip === null) throw new SelfwareError('forbidden', `${name} is not what is checked out here.`);
  if ((await git.ask(['diff', '--cached', '--quiet', '--no-ext-diff'])).code !== 0)
    throw new SelfwareError('forbidden', 'Something is already staged.', { action: 'Commit or unstage it first.' });
  // Each work tree has its own folder for the markers.
  const folder = (await git.text(['rev-parse', '--absolute-git-dir'])).replace(/\n$/, '');
  const names = await readdir(folder);
  if (OPERATION_MARKERS.some((marker) => names.includes(marker)))
    throw new SelfwareError('forbidden', 'A merge, rebase or cherry-pick is under way.', {
      action: 'Finish it first.',
    });
}

async function findHooksFolder(git: UserGit, rootDir: string, top: string): Promise<string | null> {
  const configured = await readUserHooksPath(git);
  const folder = configured
    ? resolve(top, configured)
    : resolve(rootDir, (await git.text(['rev-parse', '--path-format=absolute', '--git-common-dir'])).trim(), 'hooks');
  const names = await readdir(folder).catch((): string[] => []);
  return COMMIT_HOOKS.some((name) => names.includes(name)) ? folder : null;
}

/**
 * The `core.hooksPath` of the user; null if it is not set. Skips Selfware's own value, which keeps its git from running
 * hooks.
 */
async function readUserHooksPath(git: UserGit): Promise<string | null> {
  const listing = (
    await git.ask(['config', '--show-scope', '--type=path', '--get-all', 'core.hooksPath'])
  ).stdout.toString();
  const userLines = listing.split('\n').filter((line) => line !== '' && !line.startsWith('command\t'));
  return userLines.at(-1)?.split('\t')[1] ?? null;
}

/** The id that git gives to these bytes, in the object format of another id. */
function computeBlobId(bytes: Uint8Array, otherId: string): string {
  const hash = createHash(otherId.length === SHA1_LENGTH ? 'sha1' : 'sha256');
  return hash.update(`blob ${bytes.length}\0`).update(bytes).digest('hex');
}

/** The id that git's commands use for a missing object, in the object format of another id. */
function createNullId(otherId: string): string {
  return '0'.repeat(otherId.length);
}

async function findId(git: UserGit, revision: string): Promise<string | null> {
  const { code, stdout } = await git.ask(['rev-parse', '--verify', '--quiet', revision]);
  return code === 0 ? stdout.toString().trim() : null;
}

/** Removes all private work trees and indexes, those of this process and those that a killed process has left. */
async function deleteLeftovers(git: UserGit, folder: string): Promise<void> {
  for (const name of await readdir(folder).catch((): string[] => [])) {
    if (name.startsWith('tree-')) await git.ask(['worktree', 'remove', '--force', join(folder, name)]);
    await rm(join(folder, name), { recursive: true, force: true });
  }
}
