// Manages the branch of an unattended run: a separate repository in the state folder, and the transfer of its commits
// to the user's repository. HEAD, index, work tree and all other branches of the user stay as they are.

import { randomUUID } from 'node:crypto';
import { mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import { existsSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { SelfwareError, convertFullDiskError } from '../../util/typedError.ts';
import type { Log } from '../../core/ports/system.ts';
import { formatAlternateLine } from './alternateLine.ts';
import { copyIdentity } from './committerIdentity.ts';
import { createGitRunner, hasExitCode, GitFailure, type GitRunner } from './runGit.ts';
import { openRevisions } from './revisions.ts';

/** The old value of a ref that must not exist yet, in every object format. */
const NO_REF = '';
/** Start of the names of the refs that reserve the names of branches that have no commit yet. */
const RESERVED_REFS = 'refs/selfware/nights/';

/** One commit on the branch. */
export interface NightCommit {
  readonly id: string;
  readonly parent: string;
  readonly message: string;
}

/** The operations on the branch of an unattended run. */
export interface NightBranch {
  /** Top of the user's work tree. */
  readonly top: string;
  /** Path of the session's root below the top of the work tree; empty, or ending with `/`. */
  readonly prefix: string;
  /** The commit that is checked out in the user's work tree. Throws `noCommit`. */
  head(): Promise<string>;
  /** The commit of a branch of the user; null if the branch does not exist. */
  tip(branch: string): Promise<string | null>;
  /** Returns whether a work tree of the user has checked the branch out, and whether it was pushed to a remote. */
  findUses(branch: string): Promise<{ readonly checkedOut: boolean; readonly pushed: boolean }>;
  /** The newest common commit of two commits in the user's repository. Throws GitFailure if there is none. */
  base(commit: string, otherCommit: string): Promise<string>;
  /** True if `commit` is `tip` or part of its history, in the user's repository. */
  contains(tip: string, commit: string): Promise<boolean>;
  /**
   * Checks `commit` out into a repository at `folder`, on a branch of this name. That repository borrows the user's
   * objects, so it has their history, and it has copies of the files of `commit`.
   */
  checkOut(folder: string, branch: string, commit: string, signal: AbortSignal): Promise<void>;
  /**
   * Sets the author and the committer in the configuration of the repository at `folder` to those that the user's git
   * has now. `checkOut` also does this.
   */
  copyIdentity(folder: string): Promise<void>;
  /**
   * Copies the commits of the repository at `folder` to the user's repository, and moves the user's branch to its tip.
   * `expected` is the commit to which the branch must still point (null: it does not exist yet). `knownCommit`: a
   * commit that the user's repository contains, on which a new branch starts; HEAD if absent. Returns the new tip.
   * Throws `stale` if the branch points elsewhere, `forbidden` if it is checked out, `notFound` if the repository at
   * `folder` has no such branch, and `unavailable` or `diskFull` if git cannot write the branch.
   */
  publish(
    folder: string,
    branch: string,
    expected: string | null,
    signal: AbortSignal,
    knownCommit?: string,
  ): Promise<string>;
  /**
   * Copies the commits of the repository at `folder` up to `tip` to the user's repository, without a ref.
   * `knownCommit`: a commit that the user's repository contains.
   */
  copyCommits(folder: string, tip: string, knownCommit: string, signal: AbortSignal): Promise<void>;
  /**
   * Reserves the name of a branch that does not exist yet, so that a run in another work tree of this repository
   * chooses another branch. Returns false if the name is taken. The reservation is a private ref to the commit
   * `knownCommit` (HEAD if absent).
   */
  reserve(branch: string, knownCommit?: string): Promise<boolean>;
  /** Releases a reserved name; does nothing if it is not reserved. */
  release(branch: string): Promise<void>;
  /**
   * Deletes the branch if it points to the commit `expected`. Throws `stale` if it points elsewhere, and `forbidden` if
   * it is checked out.
   */
  remove(branch: string, expected: string): Promise<void>;
}

/**
 * Creates the operations. `rootDir` may be a folder of the work tree. `scratch`: a temporary folder of Selfware. Throws
 * `notARepository`.
 */
export async function openNightBranch(rootDir: string, scratch: string, log: Log): Promise<NightBranch> {
  await mkdir(scratch, { recursive: true, mode: 0o700 });
  const revisions = await openRevisions(rootDir, scratch, log);
  const { top } = revisions;
  const git = createGitRunner(top);
  const readLine = async (runner: GitRunner, ...args: readonly string[]) =>
    (await runner.text(args)).replace(/\n$/, '');
  const prefix = await readLine(createGitRunner(rootDir), 'rev-parse', '--show-prefix');
  const objects = await readLine(git, 'rev-parse', '--path-format=absolute', '--git-path', 'objects');

  const readTip = async (runner: GitRunner, branch: string) => {
    try {
      return await readLine(runner, 'rev-parse', '--verify', '--quiet', `refs/heads/${branch}^{commit}`);
    } catch (error) {
      if (!hasExitCode(error, 1)) throw error;
      return null;
    }
  };
  const findUses = async (branch: string) => {
    const worktreeList = await git.text(['worktree', 'list', '--porcelain']);
    const remoteRefs = await git.text(['for-each-ref', '--format=%(refname)', 'refs/remotes']);
    return {
      checkedOut: worktreeList.split('\n').includes(`branch refs/heads/${branch}`),
      pushed: remoteRefs
        .split('\n')
        .some((name) => /^refs\/remotes\/[^/]+\//.test(name) && name.endsWith(`/${branch}`)),
    };
  };
  /**
   * Moves the branch from the commit `from` (null: it does not exist yet) to the commit `to`, or deletes it if `to` is
   * null.
   */
  const move = async (branch: string, to: string | null, from: string | null) => {
    if ((await findUses(branch)).checkedOut)
      throw new SelfwareError('forbidden', `${branch} is checked out, so it stays as it is.`, {
        action: 'Check out another branch first.',
      });
    const ref = `refs/heads/${branch}`;
    try {
      await git.text(to === null ? ['update-ref', '-d', ref, from ?? NO_REF] : ['update-ref', ref, to, from ?? NO_REF]);
    } catch (cause) {
      if (!(cause instanceof GitFailure)) throw cause;
      // If another process has left a lock, or if the disk is full, git fails with the same error as for a moved
      // branch.
      if ((await readTip(git, branch)) !== from)
        throw new SelfwareError('stale', `${branch} was moved by somebody else, so it stays as it is.`, { cause });
      throw convertFullDiskError(
        new SelfwareError('unavailable', `git cannot write the branch ${branch}: ${cause.stderr.trim()}`, {
          action: 'Remove what is in the way, such as a lock that another process has left.',
          cause,
        }),
      );
    }
  };
  const copyCommits = async (folder: string, tip: string, knownCommit: string, signal: AbortSignal) => {
    const nightGit = createGitRunner(folder);
    const pack = join(scratch, 'handover');
    const stdin = Buffer.from(`${tip}\n--not\n${knownCommit}\n`);
    const name = (await nightGit.text(['pack-objects', '--quiet', '--revs', pack], { stdin, signal })).trim();
    try {
      await git.text(['unpack-objects', '-q'], { stdin: await readFile(`${pack}-${name}.pack`), signal });
    } finally {
      for (const end of ['pack', 'idx', 'rev']) await rm(`${pack}-${name}.${end}`, { force: true });
    }
  };

  return {
    top,
    prefix,
    head: () => revisions.commit('HEAD'),
    tip: (branch) => readTip(git, branch),
    findUses: findUses,
    base: (commit, otherCommit) => readLine(git, 'merge-base', commit, otherCommit),
    contains: (tip, commit) => isInHistory(top, commit, tip),
    async checkOut(folder, branch, commit, signal) {
      await rm(folder, { recursive: true, force: true });
      await mkdir(folder, { recursive: true, mode: 0o700 });
      await revisions.checkOut(commit, folder, signal);
      const gitFolder = join(folder, '.git');
      const path = join(gitFolder, 'refs/heads', branch);
      await mkdir(dirname(path), { recursive: true });
      await writeFile(path, `${commit}\n`);
      await writeFile(join(gitFolder, 'HEAD'), `ref: refs/heads/${branch}\n`);
      // The user's objects complete the history, so this repository is exactly as shallow as the user's.
      await writeFile(join(gitFolder, 'objects/info/alternates'), `${formatAlternateLine(objects)}\n`);
      const shallow = await readLine(git, 'rev-parse', '--path-format=absolute', '--git-path', 'shallow');
      if (existsSync(shallow)) await writeFile(join(gitFolder, 'shallow'), await readFile(shallow));
      else await rm(join(gitFolder, 'shallow'), { force: true });
      // Git must not change any bytes, but has to merge texts line by line, regardless of the repository's attributes.
      await writeFile(join(gitFolder, 'info/attributes'), '* -text -filter -ident -working-tree-encoding merge\n');
      const nightGit = createGitRunner(folder);
      await copyIdentity(git, nightGit);
      // Nobody is present who could type the passphrase of a key.
      await nightGit.text(['config', 'commit.gpgsign', 'false']);
    },
    copyIdentity: (folder) => copyIdentity(git, createGitRunner(folder)),
    async publish(folder, branch, expected, signal, knownCommit) {
      const nightGit = createGitRunner(folder);
      const tip = await readTip(nightGit, branch);
      if (tip === null) throw new SelfwareError('notFound', `The run has no branch ${branch} any more.`);
      if (tip === expected) return tip;
      await copyCommits(folder, tip, expected ?? knownCommit ?? (await revisions.commit('HEAD')), signal);
      await move(branch, tip, expected);
      return tip;
    },
    copyCommits,
    async reserve(branch, knownCommit) {
      try {
        const commit = knownCommit ?? (await revisions.commit('HEAD'));
        await git.text(['update-ref', `${RESERVED_REFS}${branch}`, commit, NO_REF]);
        return true;
      } catch (error) {
        const reservedRefs = await git.text(['for-each-ref', '--format=%(refname)', `${RESERVED_REFS}${branch}`]);
        if (!(error instanceof GitFailure) || reservedRefs.trim() === '') throw error;
        return false;
      }
    },
    async release(branch) {
      await git.text(['update-ref', '-d', `${RESERVED_REFS}${branch}`]);
    },
    async remove(branch, expected) {
      await move(branch, null, expected);
    },
  };
}

/** The id of the proposal in the trailers of a run's commit; null if there is none. */
export function parseProposalTrailer(message: string): string | null {
  return /^Selfware-Proposal: (\S+)$/m.exec(message)?.[1] ?? null;
}

/**
 * The ids of all proposals in the trailers of joined messages. Lines may be indented, as `git merge --squash` indents
 * the messages that it joins.
 */
export function parseProposalTrailers(messages: string): readonly string[] {
  return [...messages.matchAll(/^ *Selfware-Proposal: (\S+)$/gm)].map(([, proposal]) => proposal!);
}

/**
 * The commit of a branch in the repository of a run; null if the repository or the branch does not exist, or git
 * fails.
 */
export async function readRunBranchTip(folder: string, branch: string): Promise<string | null> {
  if (!existsSync(join(folder, '.git'))) return null;
  try {
    return (await createGitRunner(folder).text(['rev-parse', '--verify', '--quiet', `refs/heads/${branch}`])).trim();
  } catch (error) {
    if (error instanceof GitFailure) return null;
    throw error;
  }
}

/** The names of the branches in the repository of a run; empty if the repository does not exist, or git fails. */
export async function listRunBranches(folder: string): Promise<readonly string[]> {
  if (!existsSync(join(folder, '.git'))) return [];
  try {
    const text = await createGitRunner(folder).text(['for-each-ref', '--format=%(refname:lstrip=2)', 'refs/heads']);
    return text.split('\n').filter((line) => line !== '');
  } catch (error) {
    if (error instanceof GitFailure) return [];
    throw error;
  }
}

/** True if `commit` is `tip` or part of its history, in the repository at `folder`. False also if git fails. */
export async function isInHistory(folder: string, commit: string, tip: string): Promise<boolean> {
  try {
    await createGitRunner(folder).text(['merge-base', '--is-ancestor', commit, tip]);
    return true;
  } catch (error) {
    if (error instanceof GitFailure) return false;
    throw error;
  }
}

/** The commits of a run after `base` up to `tip`, oldest first. Follows only the first parent of a merge. */
export async function listCommitsAfter(folder: string, base: string, tip: string): Promise<readonly NightCommit[]> {
  const git = createGitRunner(folder);
  const text = await git.text([
    'log',
    '--reverse',
    '--first-parent',
    '--format=%H %P%x00%B%x00%x01',
    `${base}..${tip}`,
  ]);
  return text
    .split('\u0001')
    .map((entry) => entry.replace(/^\n/, ''))
    .filter((entry) => entry !== '')
    .map((entry) => {
      const [ids = '', message = ''] = entry.split('\0');
      const [id = '', parent = ''] = ids.split(' ');
      return { id, parent, message };
    });
}

/**
 * Applies the change of `commit` on top of `onto` as a new commit; null if the two conflict, for example in the same
 * lines. Writes only objects. Throws `unavailable` if git cannot do that (versions before 2.38).
 */
export async function replayCommit(folder: string, commit: NightCommit, onto: string): Promise<string | null> {
  const git = createGitRunner(folder);
  if (commit.parent === onto) return commit.id;
  // A commit with the tree of `onto` and the same parent as `commit`: merging it with `commit` then applies exactly
  // this one change.
  const ontoTree = (await git.text(['rev-parse', `${onto}^{tree}`])).trim();
  const baseCommit = (await git.text(['commit-tree', ontoTree, '-p', commit.parent, '-m', 'basis'])).trim();
  let tree: string;
  try {
    tree = (await git.text(['merge-tree', '--write-tree', baseCommit, commit.id])).split('\n')[0]!.trim();
  } catch (error) {
    if (hasExitCode(error, 1)) return null;
    if (!(error instanceof GitFailure)) throw error;
    throw new SelfwareError('unavailable', 'This git cannot replay a change without a work tree.', {
      action: 'Update git to 2.38 or later.',
      cause: error,
    });
  }
  return commitTree(folder, tree, onto, commit.message);
}

/** Creates a commit on `parent` and returns its id. `tree`: a tree, or a commit whose tree is used. */
export async function commitTree(folder: string, tree: string, parent: string, message: string): Promise<string> {
  const git = createGitRunner(folder);
  const id = (await git.text(['rev-parse', `${tree}^{tree}`])).trim();
  return (await git.text(['commit-tree', id, '-p', parent, '-F', '-'], { stdin: Buffer.from(message) })).trim();
}

/**
 * Creates a commit on `parent` with these texts, in the repository of a run, and returns its id; null if a file there
 * differs from `before`. Writes only objects and a temporary index.
 */
export async function commitEdits(
  folder: string,
  parent: string,
  edits: readonly { readonly path: string; readonly before: string | null; readonly after: string | null }[],
  message: string,
): Promise<string | null> {
  const git = createGitRunner(folder);
  const indexFile = join(folder, '.git', `replay-${randomUUID()}.index`);
  try {
    await git.text(['read-tree', parent], { indexFile });
    for (const { path, before, after } of edits) {
      const listing = await git.text(['ls-files', '--stage', '--full-name', '--', `:(top,literal)${path}`], {
        indexFile,
      });
      const [mode = '100644', id = null] = listing === '' ? [] : listing.split(' ');
      const textBefore = id === null ? null : await git.text(['cat-file', 'blob', id]);
      if (textBefore !== before) return null;
      const blob =
        after === null
          ? null
          : (await git.text(['hash-object', '-w', '--stdin'], { stdin: Buffer.from(after) })).trim();
      if (blob === null) await git.text(['update-index', '--force-remove', '--', path], { indexFile });
      else await git.text(['update-index', '--add', '--cacheinfo', `${mode},${blob},${path}`], { indexFile });
    }
    return await commitTree(folder, (await git.text(['write-tree'], { indexFile })).trim(), parent, message);
  } finally {
    await rm(indexFile, { force: true });
  }
}
