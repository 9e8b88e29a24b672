// The trees of runs that git could not read and that were moved aside: lists them, and removes those of which nothing
// would be lost.

import { createHash } from 'node:crypto';
import { lstat, readdir, readlink, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { measureBytes } from '../../../adapters/files/folderSize.ts';
import { readInside } from '../../../adapters/files/safeRead.ts';
import { createGitRunner } from '../../../adapters/git/runGit.ts';
import type { Millis } from '../../../core/model.ts';
import type { ContentStore } from '../../../core/ports/ledger.ts';
import { sha256 } from '../../../util/hash.ts';

/** A tree that was moved aside. */
export interface SetAsideTree {
  readonly folder: string;
  readonly at: Millis;
}

/** A tree with its size. */
export interface MeasuredTree extends SetAsideTree {
  readonly bytes: number;
}

/** Where the contents of such a tree may be as well. */
interface OtherPlaces {
  /** A folder of the user's repository. */
  readonly rootDir: string;
  /** Texts of changes, in the ledgers of the repository and of its runs. */
  readonly contents: readonly Pick<ContentStore, 'sizes'>[];
}

const WEEK_MS = 7 * 24 * 60 * 60_000;
const NAME = /^tree-unreadable-(\d{4}-\d\d-\d\dT\d\d)-(\d\d)-(\d\d)-(\d{3})Z$/;

/** The folder for a tree that is moved aside at this time. */
export function createSetAsideFolder(tree: string, at: Date): string {
  return `${tree}-unreadable-${at.toISOString().replaceAll(/[:.]/g, '-')}`;
}

/** The trees that were moved aside, oldest first. `folder`: the folder of a repository's runs. */
export async function listSetAsideTrees(folder: string): Promise<readonly SetAsideTree[]> {
  const names = await readdir(folder).catch(() => []);
  return names
    .flatMap((name) => {
      const [, hour, minute, second, millis] = NAME.exec(name) ?? [];
      return hour === undefined
        ? []
        : [{ folder: join(folder, name), at: Date.parse(`${hour}:${minute}:${second}.${millis}Z`) }];
    })
    .toSorted((a, b) => a.at - b.at);
}

/** The same, with their sizes. */
export async function measureSetAsideTrees(folder: string): Promise<readonly MeasuredTree[]> {
  const trees = await listSetAsideTrees(folder);
  return Promise.all(trees.map(async (tree) => ({ ...tree, bytes: await measureBytes(tree.folder) })));
}

/**
 * Removes the trees of which nothing would be lost: each file that git does not ignore is in a commit of the user's
 * repository that a ref reaches, or its text is in a ledger. Without `now`, also those that are younger than a week.
 * Returns the removed folders. Throws GitFailure before anything of a tree is removed.
 */
export async function removeSetAsideTrees(
  folder: string,
  others: OtherPlaces,
  now: Millis | null,
): Promise<readonly string[]> {
  const old = (await listSetAsideTrees(folder)).filter(({ at }) => now === null || now - at > WEEK_MS);
  if (old.length === 0) return [];
  const known = await collectKnown(others);
  const removed: string[] = [];
  for (const tree of old) {
    if ((await findOnlyCopy(tree.folder, others.rootDir, known)) !== null) continue;
    await rm(tree.folder, { recursive: true, force: true });
    removed.push(tree.folder);
  }
  return removed;
}

interface Known {
  /** Ids of objects that a ref reaches. */
  readonly objects: ReadonlySet<string>;
  /** Hashes of texts in ledgers. */
  readonly texts: ReadonlySet<string>;
  /** The hash of the repository's objects. */
  readonly objectFormat: string;
}

async function collectKnown({ rootDir, contents }: OtherPlaces): Promise<Known> {
  const git = createGitRunner(rootDir);
  const objects = await git.text(['rev-list', '--objects', '--all', '--no-object-names']);
  const sizes = await Promise.all(contents.map((store) => store.sizes()));
  return {
    objects: new Set(objects.split('\n')),
    texts: new Set(sizes.flatMap((texts) => [...texts.keys()])),
    objectFormat: (await git.text(['rev-parse', '--show-object-format'])).trim(),
  };
}

/** The path of a file that is nowhere else; null if there is none. */
async function findOnlyCopy(folder: string, rootDir: string, known: Known): Promise<string | null> {
  const gitDir = (await createGitRunner(rootDir).text(['rev-parse', '--absolute-git-dir'])).trim();
  // The index of the tree may be unreadable, so all files are listed as untracked ones, by the rules of the tree.
  const listed = await createGitRunner(folder).text(
    ['--git-dir', gitDir, '--work-tree', folder, 'ls-files', '--others', '--exclude-standard', '-z'],
    { indexFile: join(folder, '.git', 'no-index') },
  );
  for (const path of listed.split('\0').filter((name) => name !== '')) {
    const bytes = await readBytes(folder, path);
    if (bytes === null) return path;
    const id = createHash(known.objectFormat).update(`blob ${bytes.length}\0`).update(bytes).digest('hex');
    if (!known.objects.has(id) && !known.texts.has(sha256(bytes))) return path;
  }
  return null;
}

/** The bytes that git stores: of a link, its target. Null for what cannot be read, such as a nested repository. */
async function readBytes(folder: string, path: string): Promise<Uint8Array | null> {
  try {
    const absolutePath = join(folder, path);
    const isLink = (await lstat(absolutePath)).isSymbolicLink();
    return isLink ? Buffer.from(await readlink(absolutePath)) : await readInside(folder, path);
  } catch {
    return null;
  }
}
