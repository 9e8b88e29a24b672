// Keeps copies of the built program for unattended runs, each in a folder named by the hash of its files. A run works
// from its copy, so it continues if the program is updated, built again or removed.

import { createHash, randomBytes } from 'node:crypto';
import { createReadStream } from 'node:fs';
import {
  copyFile,
  link,
  mkdir,
  readdir,
  readFile,
  realpath,
  rename,
  rm,
  stat,
  symlink,
  utimes,
  writeFile,
} from 'node:fs/promises';
import { dirname, join, sep } from 'node:path';
import { pipeline } from 'node:stream/promises';
import type { ProgramVersion } from '../../core/run/takeOver.ts';
import { parseJsonOrNull } from '../../util/parseJson.ts';
import { SelfwareError } from '../../util/typedError.ts';
import { writeNewFile } from '../files/durableFile.ts';
import { readProcessIdentity, mayBeAlive, type ProcessIdentity } from '../system/runningProcesses.ts';

/** Milliseconds for which an unused copy is kept, because a run that is about to start may need it. */
const UNUSED_MS = 60 * 60_000;
/** Extensions of files that no run needs: source maps, packages of the extension, and the editor's parts. */
const EXCLUDED_EXTENSIONS = ['.map', '.vsix', '.cjs'];
/** The folder of large libraries. A build replaces them and never changes them in place, so a hard link is enough. */
const LINKED_FOLDER = 'native/';
/** Maximum number of attempts to copy a program, because a build may change it meanwhile. */
const MAX_TRIES = 3;
/** Name of the file with the version and the hash of a copy. */
const FACTS_FILE = 'version.json';
/** Name of the folder in a copy with a file for each process that uses the copy. */
const USERS_FOLDER = 'users';

/**
 * Copies the built program below `root` (its `dist` and `package.json`) into `store`, unless its copy exists and has
 * the same bytes. Removes copies that no running process uses, except those younger than `UNUSED_MS` and those with the
 * hashes in `awaitedHashes`. Throws `unavailable` if the program is being built; rejects with the error of the file system.
 */
export async function keepVersion(
  root: string,
  store: string,
  awaitedHashes: readonly string[] = [],
): Promise<ProgramVersion> {
  const runningVersion = await readCopyFacts(root);
  // This program runs from its copy.
  if (runningVersion && (await isSameFolder(root, join(store, runningVersion.hash))))
    return { ...runningVersion, folder: join(store, runningVersion.hash) };
  for (let tries = 0; tries < MAX_TRIES; tries += 1) {
    const copiedVersion = await findOrCreateCopy(root, store);
    if (!copiedVersion) continue;
    await removeUnusedCopies(store, [copiedVersion.hash, ...awaitedHashes]);
    return copiedVersion;
  }
  throw new SelfwareError('unavailable', `The program in ${root} changes while it is copied.`, {
    action: 'Wait until its build has ended.',
  });
}

/** Returns the copy, and creates it if there is none or if its bytes differ. Null if the program changed meanwhile. */
async function findOrCreateCopy(root: string, store: string): Promise<ProgramVersion | null> {
  const hash = await hashVersionFiles(root);
  const folder = join(store, hash);
  if (await readCopyFacts(folder)) {
    // A copy with other bytes is damaged, or somebody else has put it there.
    if ((await hashVersionFiles(folder).catch(() => null)) === hash) {
      const now = new Date();
      await utimes(folder, now, now);
      return { version: await readVersionNumber(folder), hash, folder };
    }
  }
  await removeCopy(folder);
  return createCopy(root, { hash, folder });
}

/** The facts about the copy in this folder; null if the folder contains no copy. */
export async function readCopyFacts(folder: string): Promise<ProgramVersion | null> {
  const facts = parseJsonOrNull(
    await readFile(join(folder, FACTS_FILE), 'utf8').catch(() => ''),
  ) as Partial<ProgramVersion> | null;
  if (typeof facts?.version !== 'string' || typeof facts.hash !== 'string') return null;
  return { version: facts.version, hash: facts.hash, folder };
}

/**
 * The running version if the hashes are equal; otherwise the version with its folder in `store`. The folder in
 * `version` is ignored, because it may come from an offer of another process.
 */
export function resolveVersionFolder(
  version: ProgramVersion,
  runningVersion: ProgramVersion,
  store: string,
): ProgramVersion {
  return version.hash === runningVersion.hash ? runningVersion : { ...version, folder: join(store, version.hash) };
}

/** Registers this process as a user of the copy, which is not removed while the process runs. */
export async function registerUser({ folder }: ProgramVersion): Promise<void> {
  const identity = await readProcessIdentity(process.pid);
  await mkdir(join(folder, USERS_FOLDER), { recursive: true });
  await writeFile(join(folder, USERS_FOLDER, `${process.pid}.json`), JSON.stringify(identity));
}

/** Paths of the files that a run needs, relative to `dist`, with slashes. */
async function listProgramFiles(root: string): Promise<readonly string[]> {
  const dist = join(root, 'dist');
  return (await readdir(dist, { recursive: true, withFileTypes: true }))
    .filter((entry) => entry.isFile())
    .map((entry) =>
      join(entry.parentPath, entry.name)
        .slice(dist.length + 1)
        .split(sep)
        .join('/'),
    )
    .filter(
      (name) => !name.startsWith('webview/') && !EXCLUDED_EXTENSIONS.some((extension) => name.endsWith(extension)),
    )
    .sort();
}

/**
 * The real path of the `node_modules` next to the program, which has the optional components in a clone. Null if there
 * is none.
 */
function findComponentsFolder(root: string): Promise<string | null> {
  return realpath(join(root, 'node_modules')).catch(() => null);
}

/** The hash of the files that a run needs, and of the place of the packages, so that two clones do not share a copy. */
async function hashVersionFiles(root: string): Promise<string> {
  const hash = createHash('sha256').update(await readFile(join(root, 'package.json')));
  for (const name of await listProgramFiles(root)) {
    hash.update(`\0${name}\0`);
    await pipeline(createReadStream(join(root, 'dist', name)), async (chunks) => {
      for await (const chunk of chunks) hash.update(chunk as Buffer);
    });
  }
  hash.update(`\0${(await findComponentsFolder(root)) ?? ''}`);
  return hash.digest('hex').slice(0, 16);
}

/**
 * Creates the copy. Its folder appears when it is complete. Null if the copied files do not have the hash, because the
 * program changed meanwhile.
 */
async function createCopy(
  root: string,
  { hash, folder }: Pick<ProgramVersion, 'hash' | 'folder'>,
): Promise<ProgramVersion | null> {
  const temporaryFolder = createTemporaryPath(folder);
  try {
    for (const name of await listProgramFiles(root)) {
      const [from, to] = [join(root, 'dist', name), join(temporaryFolder, 'dist', name)];
      await mkdir(dirname(to), { recursive: true, mode: 0o700 });
      await (name.startsWith(LINKED_FOLDER) ? link(from, to).catch(() => copyFile(from, to)) : copyFile(from, to));
    }
    await copyFile(join(root, 'package.json'), join(temporaryFolder, 'package.json'));
    const packages = await findComponentsFolder(root);
    if (packages !== null) await symlink(packages, join(temporaryFolder, 'node_modules'));
    if ((await hashVersionFiles(temporaryFolder)) !== hash) return null;
    const version = await readVersionNumber(temporaryFolder);
    await writeNewFile(join(temporaryFolder, FACTS_FILE), Buffer.from(JSON.stringify({ version, hash })), 0o600);
    await rename(temporaryFolder, folder).catch(async (error: unknown) => {
      // Another process may have made the same copy meanwhile.
      if ((await readCopyFacts(folder))?.hash !== hash || (await hashVersionFiles(folder)) !== hash) throw error;
    });
    return { version, hash, folder };
  } finally {
    await rm(temporaryFolder, { recursive: true, force: true });
  }
}

async function readVersionNumber(root: string): Promise<string> {
  return (JSON.parse(await readFile(join(root, 'package.json'), 'utf8')) as { version: string }).version;
}

function createTemporaryPath(folder: string): string {
  return `${folder}.${randomBytes(4).toString('hex')}.tmp`;
}

/** Removes the copy. Renames it first, so that an interrupted removal leaves no incomplete copy under its name. */
async function removeCopy(folder: string): Promise<void> {
  const renamedFolder = createTemporaryPath(folder);
  try {
    await rename(folder, renamedFolder);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return;
    throw error;
  }
  await rm(renamedFolder, { recursive: true, force: true });
}

async function isSameFolder(folder: string, otherFolder: string): Promise<boolean> {
  return (await realpath(folder)) === (await realpath(otherFolder).catch(() => null));
}

async function removeUnusedCopies(store: string, keptHashes: readonly string[]): Promise<void> {
  for (const name of await readdir(store)) {
    const folder = join(store, name);
    const { mtimeMs } = await stat(folder).catch(() => ({ mtimeMs: Infinity }));
    if (keptHashes.includes(name) || Date.now() - mtimeMs < UNUSED_MS || (await isUsed(folder))) continue;
    await (name.endsWith('.tmp') ? rm(folder, { recursive: true, force: true }) : removeCopy(folder)).catch(
      () => undefined,
    );
  }
}

async function isUsed(folder: string): Promise<boolean> {
  for (const name of await readdir(join(folder, USERS_FOLDER)).catch(() => [])) {
    const text = await readFile(join(folder, USERS_FOLDER, name), 'utf8').catch(() => '');
    const user = parseJsonOrNull(text) as ProcessIdentity | null;
    // Without a start time, a process with this id counts as a user of the copy.
    if (await mayBeAlive(user ?? { pid: Number(name.split('.')[0]), started: null })) return true;
  }
  return false;
}
