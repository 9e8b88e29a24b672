// Prepares two states of a repository for a judgement: resolves the commits, finds the differences between them, and
// writes both sides to disk. The user's repository is only read; new objects are written to a folder that belongs to
// Selfware.

import { mkdir, stat, utimes, writeFile } from 'node:fs/promises';
import { existsSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { SelfwareError } from '../../util/typedError.ts';
import { readRegular } from '../files/safeRead.ts';
import { copyCommit } from './copyCommit.ts';
import { listSettingsWithoutFilters } from './filters.ts';
import { readAuthors } from './commitAuthors.ts';
import { isInWorkTree } from './git.ts';
import { createGitRunner, GitFailure, type GitCall, type GitRunner } from './runGit.ts';
import type { Log } from '../../core/ports/system.ts';

/**
 * One file that differs between two trees. Its modes and ids are those of git; they consist of zeros on a side without
 * the file.
 */
export interface FileDifference {
  readonly path: string;
  readonly modes: readonly [before: string, after: string];
  readonly ids: readonly [before: string, after: string];
}

/** The two sides of a change, and the differences between them. */
export interface Sides {
  /** The commit on which the change is based. */
  readonly base: string;
  /** A commit, or the tree of the current working tree. */
  readonly head: string;
  /** The ids of both sides' trees. */
  readonly trees: { readonly base: string; readonly head: string };
  /** Remarks about the comparison, as sentences for a person. */
  readonly notes: readonly string[];
  readonly differences: readonly FileDifference[];
  readonly renamed: readonly { readonly from: string; readonly to: string }[];
  /**
   * The names of everybody who made the commits between both sides, according to these commits; empty if there is only
   * uncommitted work.
   */
  readonly authors: readonly string[];
  /** True if not all commits were read. */
  readonly hasMoreAuthors: boolean;
}

/** Access to the states of one repository, for judging changes. */
export interface Revisions {
  /** Top of the work tree. */
  readonly top: string;
  /** Top of the main work tree, if the repository has one; for a linked work tree, it is another folder than `top`. */
  readonly mainTop: string;
  /**
   * Finds the differences between `head` and its merge base with `base`. If `head` is null, the working tree takes its
   * place, including uncommitted work. Throws `notFound`, `usage`, `conflict`, `noCommit`.
   */
  compare(base: string, head: string | null, signal: AbortSignal): Promise<Sides>;
  /** Returns an id of the states that `compare` would compare now. Throws the same errors. */
  identify(base: string, head: string | null, signal: AbortSignal): Promise<string>;
  /** Returns the id of the commit of this name. Throws `notFound`, `noCommit`, `usage`. */
  commit(name: string): Promise<string>;
  /** Creates a repository at `folder` whose only commit is `base`, checked out byte for byte. Throws `unavailable`. */
  checkOut(base: string, folder: string, signal: AbortSignal): Promise<void>;
  /** Writes these files of a commit or tree below `folder`, byte for byte. */
  writeFiles(tree: string, paths: readonly string[], folder: string, signal: AbortSignal): Promise<void>;
}

const SUBMODULE_MODE = '160000';
/** Attributes with which git changes no bytes, because bytes are compared. */
const RAW_ATTRIBUTES = '* -text -filter -ident -working-tree-encoding -diff -merge\n';
/** Recognises a rename if at least 60 % of the file is unchanged. */
const RENAME_OPTION = '--find-renames=60%';

/**
 * Opens access to the states of a repository. `scratch`: an empty folder of Selfware, outside of the repository. Throws
 * `notARepository`.
 */
export async function openRevisions(rootDir: string, scratch: string, log: Log): Promise<Revisions> {
  const rootGit = createGitRunner(rootDir);
  const revParse = async (...args: readonly string[]) =>
    (await rootGit.text(['rev-parse', ...args])).replace(/\n$/, '');
  // Starts all processes at the same time, because starting git takes longer than its answer. A path may contain a line
  // break, so each answer has its own process.
  const [workTree, ...pathResults] = await Promise.allSettled([
    requireWorkTree(rootGit, rootDir, log),
    revParse('--path-format=absolute', '--show-toplevel'),
    revParse('--path-format=absolute', '--git-common-dir'),
    revParse('--path-format=absolute', '--git-path', 'objects'),
    revParse('--show-object-format'),
  ]);
  // Outside of a work tree, the other commands fail as well, but the error of this one explains why.
  if (workTree.status === 'rejected') throw workTree.reason;
  const [topFolder, gitFolder, objects, format] = pathResults.map((answer) => {
    if (answer.status === 'rejected') throw answer.reason;
    return answer.value;
  }) as [string, string, string, string];
  const git = createGitRunner(topFolder);
  const objectsFolder = join(scratch, 'objects');
  await mkdir(objectsFolder, { recursive: true });
  // Git reads objects from both folders, and writes new ones to that of Selfware.
  const store = { objects: objectsFolder, alternates: objects };

  return {
    top: topFolder,
    mainTop: basename(gitFolder) === '.git' ? dirname(gitFolder) : topFolder,
    async compare(baseName, headName, signal) {
      const [baseCommit, tip] = await resolveBoth(baseName, headName);
      const notes: string[] = [];
      const base = await findMergeBase(git, baseCommit, tip, { baseName, notes, signal });
      const head = headName === null ? await writeWorkTreeSnapshot(signal) : tip;
      const submodules = headName === null ? await findCheckedOutSubmodules(signal) : [];
      if (submodules.length > 0)
        notes.push(
          `Of submodules (${submodules.join(', ')}) only the commit counts: what is not committed in them is not judged.`,
        );
      const [{ differences, renamed }, trees, { authors, hasMoreAuthors }] = await Promise.all([
        listDifferences(base, head, signal),
        git.text(['rev-parse', `${base}^{tree}`, `${head}^{tree}`], { signal, store }),
        readAuthors(git, base, tip, signal),
      ]);
      const [baseTree = '', headTree = ''] = trees.split('\n');
      if (hasMoreAuthors)
        notes.push('The change has too many commits to know all authors, so each rule of a policy by author applies.');
      return {
        base,
        head,
        trees: { base: baseTree, head: headTree },
        notes,
        differences,
        renamed,
        authors,
        hasMoreAuthors,
      };
    },
    async identify(baseName, headName, signal) {
      const [base, tip] = await resolveBoth(baseName, headName);
      return [base, tip, ...(headName === null ? [await writeWorkTreeSnapshot(signal)] : [])].join(' ');
    },
    commit: (name) => resolveCommit(git, name, 'at'),
    async checkOut(base, folder, signal) {
      const gitFolder = join(folder, '.git');
      for (const name of ['objects/info', 'objects/pack', 'refs/heads', 'info'])
        await mkdir(join(gitFolder, name), { recursive: true });
      const config = ['[core]', `\trepositoryformatversion = ${format === 'sha1' ? 0 : 1}`, '\tbare = false'];
      config.push('\tautocrlf = false', '[gc]', '\tauto = 0');
      if (format !== 'sha1') config.push('[extensions]', `\tobjectformat = ${format}`);
      await writeFile(join(gitFolder, 'HEAD'), `${base}\n`);
      await writeFile(join(gitFolder, 'config'), `${config.join('\n')}\n`);
      await writeFile(join(gitFolder, 'shallow'), `${base}\n`);
      await writeFile(join(gitFolder, 'info', 'attributes'), RAW_ATTRIBUTES);
      await copyCommit(topFolder, base, join(gitFolder, 'objects'), signal);
      const checkedOutGit = createGitRunner(folder);
      const [withoutFilters] = await Promise.all([
        createConfigWithoutFilters(checkedOutGit),
        checkedOutGit.text(['read-tree', 'HEAD'], { signal }),
      ]);
      await checkedOutGit.text(['checkout-index', '--all', '--force', '--quiet'], { signal, ...withoutFilters });
    },
    async writeFiles(tree, paths, folder, signal) {
      if (paths.length === 0) return;
      // A separate repository whose attributes leave bytes unchanged, regardless of the attributes in the tree.
      const sidesFolder = join(scratch, 'sides');
      await mkdir(join(sidesFolder, '.git', 'info'), { recursive: true });
      await mkdir(join(sidesFolder, '.git', 'refs'), { recursive: true });
      await mkdir(join(sidesFolder, '.git', 'objects', 'info'), { recursive: true });
      await writeFile(join(sidesFolder, '.git', 'HEAD'), 'ref: refs/heads/none\n');
      await writeFile(join(sidesFolder, '.git', 'config'), '[core]\n\trepositoryformatversion = 0\n\tbare = false\n');
      await writeFile(join(sidesFolder, '.git', 'info', 'attributes'), RAW_ATTRIBUTES);
      const sidesGit = createGitRunner(sidesFolder);
      const call: GitCall = { signal, store, indexFile: join(scratch, 'side-index') };
      const [withoutFilters] = await Promise.all([
        createConfigWithoutFilters(sidesGit),
        sidesGit.text(['read-tree', tree], call),
        mkdir(folder, { recursive: true }),
      ]);
      await sidesGit.text(['checkout-index', '--force', '--quiet', '-z', '--stdin', `--prefix=${folder}/`], {
        ...call,
        ...withoutFilters,
        stdin: Buffer.from(`${paths.join('\0')}\0`),
      });
    },
  };

  /** The commits of both names. If both are unknown, the error is about the base. */
  async function resolveBoth(baseName: string, headName: string | null): Promise<readonly [string, string]> {
    const tip = resolveCommit(git, headName ?? 'HEAD', 'head');
    tip.catch(() => undefined);
    return [await resolveCommit(git, baseName, 'base'), await tip];
  }

  /** The tree of the current working tree, including untracked files, without ignored ones. */
  async function writeWorkTreeSnapshot(signal: AbortSignal): Promise<string> {
    const conflicts = await git.text(['ls-files', '--unmerged', '-z'], { signal });
    const [first] = conflicts.split('\0').flatMap((line) => (line === '' ? [] : [line.slice(line.indexOf('\t') + 1)]));
    if (first !== undefined)
      throw new SelfwareError('conflict', `The working tree has merge conflicts, in ${first} for one.`, {
        action: 'Resolve them first, or judge a commit: --head REF.',
      });
    const indexFile = join(scratch, 'index');
    const userIndex = await revParse('--path-format=absolute', '--git-path', 'index');
    // With a copy of the user's index, git need not read the files that have not changed.
    if (existsSync(userIndex)) {
      const { mtime } = await stat(userIndex);
      await writeFile(indexFile, await readRegular(userIndex, userIndex));
      // Git compares the modification time of the index with those of the files, to find files that may have been
      // changed after the index was written, without a change of time or size.
      await utimes(indexFile, mtime, mtime);
    }
    const call: GitCall = { signal, indexFile, store, ...(await createConfigWithoutFilters(git)) };
    await git.text(['add', '--all', '--ignore-errors', '--', '.'], call);
    return (await git.text(['write-tree'], call)).trim();
  }

  /** Paths of the submodules that have a repository in the working tree. */
  async function findCheckedOutSubmodules(signal: AbortSignal): Promise<readonly string[]> {
    const entries = (await git.text(['ls-files', '--stage', '-z'], { signal })).split('\0');
    const paths = entries
      .filter((entry) => entry.startsWith(SUBMODULE_MODE))
      .map((entry) => entry.slice(entry.indexOf('\t') + 1));
    return paths.filter((path) => existsSync(join(topFolder, path, '.git')));
  }

  async function listDifferences(
    base: string,
    head: string,
    signal: AbortSignal,
  ): Promise<Pick<Sides, 'differences' | 'renamed'>> {
    const args = ['diff-tree', '-r', '-z', '--no-commit-id', '--no-ext-diff', '--no-textconv'];
    const listMoves = [...args, '--name-status', RENAME_OPTION, '-l2000', '--diff-filter=R', base, head];
    const [listed, listedMoves] = await Promise.all([
      git.text([...args, '--raw', '--no-renames', '--no-abbrev', base, head], { signal, store }),
      git.text(listMoves, { signal, store }),
    ]);
    const raw = listed.split('\0');
    const differences: FileDifference[] = [];
    for (let index = 0; index + 1 < raw.length; index += 2) {
      const [before = '', after = '', oldId = '', newId = ''] = raw[index]!.slice(1).split(' ');
      differences.push({ path: raw[index + 1]!, modes: [before, after], ids: [oldId, newId] });
    }
    const moves = listedMoves.split('\0');
    const renamed: { from: string; to: string }[] = [];
    for (let index = 0; index + 2 < moves.length; index += 3)
      renamed.push({ from: moves[index + 1]!, to: moves[index + 2]! });
    return { differences, renamed };
  }
}

/** The kind of an entry that is neither a regular file nor absent; otherwise null. */
export function findSpecialKind(mode: string): 'link' | 'submodule' | null {
  return mode === '120000' ? 'link' : mode === SUBMODULE_MODE ? 'submodule' : null;
}

async function createConfigWithoutFilters(runner: GitRunner): Promise<Pick<GitCall, 'config'>> {
  return { config: await listSettingsWithoutFilters(runner) };
}

async function resolveCommit(git: GitRunner, name: string, revision: 'base' | 'head' | 'at'): Promise<string> {
  if (name === '' || name.startsWith('-'))
    throw new SelfwareError('usage', `Not the name of a commit: ${JSON.stringify(name)}.`);
  try {
    return (await git.text(['rev-parse', '--verify', '--quiet', '--end-of-options', `${name}^{commit}`])).trim();
  } catch (error) {
    if (!(error instanceof GitFailure)) throw error;
    if (name === 'HEAD')
      throw new SelfwareError('noCommit', 'This repository has no commit yet.', {
        action: 'Commit once.',
        cause: error,
      });
    throw new SelfwareError('notFound', `There is no commit ${name} (--${revision}) in this clone.`, {
      action: formatFetchAdvice(name, await isShallow(git)),
      cause: error,
    });
  }
}

/** Asks git each time, because the user may fetch the remaining history meanwhile. */
async function isShallow(git: GitRunner): Promise<boolean> {
  return (await git.text(['rev-parse', '--is-shallow-repository'])).trim() === 'true';
}

async function requireWorkTree(git: GitRunner, rootDir: string, log: Log): Promise<void> {
  if (await isInWorkTree(git, rootDir, log)) return;
  throw new SelfwareError('notARepository', `${rootDir} is not a git repository, or git is missing.`, {
    action:
      'This needs the commits of a repository: install git, or run it in a clone. `git status` says what is wrong.',
  });
}

/** Throws `notARepository`, or `noCommit` if nothing is committed there. */
export async function requireCommits(rootDir: string, log: Log): Promise<void> {
  const git = createGitRunner(rootDir);
  await requireWorkTree(git, rootDir, log);
  await resolveCommit(git, 'HEAD', 'head');
}

/**
 * The advice about an unknown commit: the command that fetches it, or more of the history. The name of a remote branch
 * contains the name of the remote.
 */
function formatFetchAdvice(name: string, isShallowClone: boolean): string {
  // The name is that of an older commit of the current history, such as HEAD^.
  if (isShallowClone && /[~^]|^(?:HEAD|@)/.test(name)) return 'This clone is shallow. Run `git fetch --deepen=50`.';
  const branchName = name.replace(/[~^].*$/, '');
  const [, remote = 'origin', branch = branchName] =
    /^(?:refs\/remotes\/)?(origin|upstream)\/(.+)$/.exec(branchName) ?? [];
  const isHash = /^[0-9a-f]{7,64}$/.test(branch);
  const refspec = isHash ? branch : `+${branch}:refs/remotes/${remote}/${branch}`;
  const fetch = `git fetch ${isShallowClone ? '--depth=50 ' : ''}${remote} ${refspec}`;
  return isShallowClone
    ? `This clone is shallow. Run \`${fetch}\`.`
    : `Look for its name with \`git branch --all\`, or run \`${fetch}\`.`;
}

/**
 * The common commit of both, or `base` itself if there is none. Adds a note for a person unless `base` is the common
 * commit.
 */
async function findMergeBase(
  git: GitRunner,
  base: string,
  tip: string,
  options: {
    readonly baseName: string;
    readonly notes: string[];
    readonly signal: AbortSignal;
  },
): Promise<string> {
  const { baseName, notes, signal } = options;
  const sharedCommit = await git.text(['merge-base', base, tip], { signal }).then(
    (text) => text.trim(),
    (error: unknown) => {
      if (error instanceof GitFailure && error.exitCode === 1) return '';
      throw error;
    },
  );
  if (sharedCommit === '') {
    notes.push(
      (await isShallow(git))
        ? `This clone is shallow and does not reach the commit that ${baseName} and the head have in common, so the head is compared with ${baseName} itself. Fetch more history (\`git fetch --deepen=100\`) if the base has moved on since.`
        : `${baseName} and the head have no history in common, so they are compared as they are.`,
    );
    return base;
  }
  if (sharedCommit !== base) {
    const behindCount = (await git.text(['rev-list', '--count', `${sharedCommit}..${base}`], { signal })).trim();
    notes.push(
      `${baseName} has moved on by ${behindCount} ${behindCount === '1' ? 'commit' : 'commits'} since; the change is judged from ${sharedCommit.slice(0, 12)}, where it began.`,
    );
  }
  return sharedCommit;
}
