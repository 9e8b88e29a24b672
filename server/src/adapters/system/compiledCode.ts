// Caches what the engine has compiled of our bundle, so that the next process need not compile it again.

import { existsSync, readdirSync, rmSync, statSync } from 'node:fs';
import { enableCompileCache } from 'node:module';
import { join } from 'node:path';
import { dataFolder, liesInRepository } from '../files/stateFolder.ts';

/** A build that nothing has run from for so long is gone, or will be compiled once more. */
const FORGOTTEN_MS = 14 * 24 * 3_600_000;
let kept: string | null = null;

/**
 * `build` names what is run: another build has other code. `opened`: folders that are or may be opened. The first
 * process of ours makes the folder that this one lies in, and goes without. Where the engine or the disk refuses, code
 * is compiled as always. NODE_DISABLE_COMPILE_CACHE=1 switches it off.
 */
export function keepCompiledCode(
  build: string,
  env: Readonly<Record<string, string | undefined>>,
  opened: readonly string[],
): void {
  const home = dataFolder(env, process.platform);
  // What the engine finds compiled it runs: never what a repository may have brought along.
  if (!existsSync(home) || liesInRepository(home, opened)) return;
  const folder = join(home, 'code');
  const mine = join(folder, build);
  try {
    if (!existsSync(mine)) forget(folder);
  } catch (error) {
    // A file in its place, a folder that may not be read: nothing that keeps the program from running.
    if ((error as NodeJS.ErrnoException).code === undefined) throw error;
    return;
  }
  keepIn(mine);
}

/** Threads have to be told: each compiles for itself. Null = nothing is kept. */
export function compiledCodeFolder(): string | null {
  return kept;
}

/** Of this thread, from here on. */
export function keepIn(folder: string): void {
  enableCompileCache(folder);
  kept = folder;
}

function forget(folder: string): void {
  const before = Date.now() - FORGOTTEN_MS;
  for (const name of existsSync(folder) ? readdirSync(folder) : []) {
    const path = join(folder, name);
    // Another process may have been faster.
    if ((statSync(path, { throwIfNoEntry: false })?.mtimeMs ?? Infinity) < before)
      rmSync(path, { recursive: true, force: true });
  }
}
