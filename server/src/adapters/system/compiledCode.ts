// Caches the engine's compiled code of Selfware's bundle, so that the next process does not compile it again.

import { existsSync, readdirSync, rmSync, statSync } from 'node:fs';
import { enableCompileCache } from 'node:module';
import { join } from 'node:path';
import { resolveDataFolder, isInRepositoryOrFolder } from '../files/stateFolder.ts';

/** Milliseconds after which the cached code of another build is removed if its folder has not changed. */
const FORGOTTEN_MS = 14 * 24 * 3_600_000;
let cacheFolder: string | null = null;

/**
 * Caches compiled code in the data folder, if that folder exists and is not in a repository. `build` identifies the
 * code: each build has a folder. `openedRoots`: folders that are or may be opened. If the engine or the disk refuses,
 * code is compiled as usual. NODE_DISABLE_COMPILE_CACHE=1 switches the cache off.
 */
export function cacheCompiledCode(
  build: string,
  env: Readonly<Record<string, string | undefined>>,
  openedRoots: readonly string[],
): void {
  const home = resolveDataFolder(env, process.platform);
  // The engine runs compiled code that it finds, so it must never come from a repository.
  if (!existsSync(home) || isInRepositoryOrFolder(home, openedRoots)) return;
  const folder = join(home, 'code');
  const buildFolder = join(folder, build);
  try {
    if (!existsSync(buildFolder)) removeOldBuilds(folder);
  } catch (error) {
    // A file in place of the folder, or an unreadable one, does not prevent the program from running.
    if ((error as NodeJS.ErrnoException).code === undefined) throw error;
    return;
  }
  enableCodeCache(buildFolder);
}

/** The folder in use, for threads, which have to enable the cache themselves; null if there is no cache. */
export function findCompiledCodeFolder(): string | null {
  return cacheFolder;
}

/** Caches the code that this thread compiles later. */
export function enableCodeCache(folder: string): void {
  enableCompileCache(folder);
  cacheFolder = folder;
}

function removeOldBuilds(folder: string): void {
  const cutoff = Date.now() - FORGOTTEN_MS;
  for (const name of existsSync(folder) ? readdirSync(folder) : []) {
    const path = join(folder, name);
    // Another process may have removed the folder already.
    if ((statSync(path, { throwIfNoEntry: false })?.mtimeMs ?? Infinity) < cutoff)
      rmSync(path, { recursive: true, force: true });
  }
}
