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
  rename,
  rm,
  stat,
  symlink,
  utimes,
  writeFile,
} from 'node:fs/promises';
import { dirname, join, sep } from 'node:path';
import { pipeline } from 'node:stream/promises';
import type { KeptVersion } from '../../core/run/takeOver.ts';
import { parsedJson } from '../../util/parsedJson.ts';
import { identityOf, isAlive, type ProcessIdentity } from '../system/runningProcesses.ts';

/** A copy that nobody uses remains for this many ms, because a run that is about to start may need it. */
const UNUSED_MS = 60 * 60_000;
/** Endings of what no run needs: source maps, packages of the extension, and the editor's parts. */
const LEFT_OUT = ['.map', '.vsix', '.cjs'];
/** Large libraries, which a build replaces and does not change in place: a hard link is enough. */
const LINKED = 'native/';
const FACTS = 'version.json';
const USERS = 'users';

/**
 * Copies the built program below `root` (its `dist` and `package.json`) into `store`, unless its copy exists. Removes
 * copies that no running process uses. Rejects with the error of the file system.
 */
export async function keepVersion(root: string, store: string): Promise<KeptVersion> {
  const known = await keptVersionAt(root);
  if (known) return known;
  const dist = join(root, 'dist');
  const names = (await readdir(dist, { recursive: true, withFileTypes: true }))
    .filter((entry) => entry.isFile())
    .map((entry) =>
      join(entry.parentPath, entry.name)
        .slice(dist.length + 1)
        .split(sep)
        .join('/'),
    )
    .filter((name) => !name.startsWith('webview/') && !LEFT_OUT.some((ending) => name.endsWith(ending)))
    .sort();
  const hash = await hashOf(root, names);
  const folder = join(store, hash);
  const { version } = JSON.parse(await readFile(join(root, 'package.json'), 'utf8')) as { version: string };
  const kept = { version, hash, folder };
  if (await keptVersionAt(folder)) {
    const now = new Date();
    await utimes(folder, now, now);
  } else await copyTo(root, names, kept);
  await removeUnused(store, hash);
  return kept;
}

/** The facts about the copy in this folder; null if the folder holds none. */
export async function keptVersionAt(folder: string): Promise<KeptVersion | null> {
  const facts = parsedJson(await readFile(join(folder, FACTS), 'utf8').catch(() => '')) as Partial<KeptVersion> | null;
  if (typeof facts?.version !== 'string' || typeof facts.hash !== 'string') return null;
  return { version: facts.version, hash: facts.hash, folder };
}

/** Notes that this process uses the copy, which is not removed while the process runs. */
export async function useVersion({ folder }: KeptVersion): Promise<void> {
  const identity = await identityOf(process.pid);
  await mkdir(join(folder, USERS), { recursive: true });
  await writeFile(join(folder, USERS, `${process.pid}.json`), JSON.stringify(identity));
}

async function hashOf(root: string, names: readonly string[]): Promise<string> {
  const hash = createHash('sha256').update(await readFile(join(root, 'package.json')));
  for (const name of names) {
    hash.update(`\0${name}\0`);
    await pipeline(createReadStream(join(root, 'dist', name)), async (chunks) => {
      for await (const chunk of chunks) hash.update(chunk as Buffer);
    });
  }
  return hash.digest('hex').slice(0, 16);
}

/** The folder appears when it is complete. */
async function copyTo(root: string, names: readonly string[], { version, hash, folder }: KeptVersion): Promise<void> {
  const partial = `${folder}.${randomBytes(4).toString('hex')}.tmp`;
  try {
    for (const name of names) {
      const [from, to] = [join(root, 'dist', name), join(partial, 'dist', name)];
      await mkdir(dirname(to), { recursive: true, mode: 0o700 });
      await (name.startsWith(LINKED) ? link(from, to).catch(() => copyFile(from, to)) : copyFile(from, to));
    }
    await copyFile(join(root, 'package.json'), join(partial, 'package.json'));
    // In a clone, optional components may be installed beside the program.
    const modules = join(root, 'node_modules');
    if (await stat(modules).catch(() => null)) await symlink(modules, join(partial, 'node_modules'));
    await writeFile(join(partial, FACTS), JSON.stringify({ version, hash }));
    await rename(partial, folder).catch(async (error: unknown) => {
      // Another process may have made the same copy meanwhile.
      if (!(await keptVersionAt(folder))) throw error;
    });
  } finally {
    await rm(partial, { recursive: true, force: true });
  }
}

async function removeUnused(store: string, except: string): Promise<void> {
  for (const name of await readdir(store)) {
    const folder = join(store, name);
    const { mtimeMs } = await stat(folder).catch(() => ({ mtimeMs: Infinity }));
    if (name === except || Date.now() - mtimeMs < UNUSED_MS || (await isUsed(folder))) continue;
    await rm(folder, { recursive: true, force: true }).catch(() => undefined);
  }
}

async function isUsed(folder: string): Promise<boolean> {
  for (const name of await readdir(join(folder, USERS)).catch(() => [])) {
    const text = await readFile(join(folder, USERS, name), 'utf8').catch(() => '');
    const user = parsedJson(text) as ProcessIdentity | null;
    // The start of a process is unknown on Windows. Then the copy stays.
    if (user === null || (await isAlive(user))) return true;
  }
  return false;
}
