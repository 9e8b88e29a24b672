// Creates the threads on which a session runs its jobs.

import { existsSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import type { OriginalPackages } from '../adapters/files/sourceTreeOfCopy.ts';
import { findSharedTreeFolder } from '../adapters/packages/sharedTreeFolder.ts';
import { addSeparateLane } from '../adapters/workers/separateLane.ts';
import { createWorkerJobs } from '../adapters/workers/workerJobs.ts';
import type { Jobs } from '../core/jobs.ts';
import { workerEntry } from './programPaths.ts';

/**
 * Milliseconds after which the thread for typed text ends if nobody types. It keeps the trees of the open documents,
 * and a person may think for a while between two keystrokes.
 */
const TYPING_THREAD_IDLE_MS = 10 * 60_000;

/** The options of a session on which its threads depend, as in `AppOptions`. */
interface ThreadOptions {
  readonly built?: boolean;
  readonly threads?: number;
  readonly packagesOf?: string;
  readonly prefix?: string;
  /** The state folder with the packages of the set-up. */
  readonly setUpIn: string;
}

/**
 * Creates the threads for jobs, with a separate thread for jobs while a person types. `rootDir`: the root of the
 * session.
 */
export function createThreadJobs(rootDir: string, options: ThreadOptions): Jobs {
  const { built: isBundle, threads } = options;
  const parts = { entry: workerEntry(isBundle), findPackages: () => findPackages(rootDir, options) };
  return addSeparateLane(
    ['glance', 'explain', 'scan'],
    createWorkerJobs({ ...parts, threads: 1, idleMs: TYPING_THREAD_IDLE_MS }),
    createWorkerJobs({ ...parts, ...(threads === undefined ? {} : { threads }) }),
  );
}

/**
 * The folder whose packages jobs see: the original of a copy, or the packages of the set-up if the repository itself has
 * none. Null if the jobs see those of their own root alone.
 */
function findPackages(
  rootDir: string,
  { packagesOf, prefix = packagesOf === undefined ? findPrefix(rootDir) : '', setUpIn }: ThreadOptions,
): OriginalPackages | null {
  const isInstalled = (folder: string) => existsSync(join(folder, 'node_modules'));
  if (packagesOf !== undefined && isInstalled(packagesOf)) return { top: packagesOf, prefix };
  if (packagesOf === undefined && isInstalled(rootDir)) return null;
  const sharedFolder = findSharedTreeFolder(setUpIn);
  if (sharedFolder !== null) return { top: sharedFolder, prefix };
  return packagesOf === undefined ? null : { top: packagesOf, prefix };
}

/** The path of a folder below the top of its repository; empty if it is in none. */
function findPrefix(rootDir: string): string {
  for (let folder = rootDir; ; folder = dirname(folder)) {
    if (existsSync(join(folder, '.git'))) return relative(folder, rootDir).replaceAll('\\', '/');
    if (dirname(folder) === folder) return '';
  }
}
