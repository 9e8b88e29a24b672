// One open sandbox: reads, writes and runs in its tree, and nowhere else.

import { chmod, lstat, mkdir, readFile, realpath, rm, stat, writeFile } from 'node:fs/promises';
import { dirname, isAbsolute, join, normalize, sep } from 'node:path';
import type { FileEdit } from '../../core/model.ts';
import type { Clock, Worktree } from '../../core/ports.ts';
import { SelfwareError } from '../../util/typedError.ts';
import { isInside } from './copyTree.ts';
import type { Environment } from './environment.ts';
import { runCommand } from './runCommand.ts';

export interface WorktreeParts {
  /** Absolute and free of links. */
  readonly dir: string;
  readonly id: string;
  readonly env: Environment;
  readonly clock: Clock;
  remove(): Promise<void>;
}

/** `dispose` ends what still runs, then removes the sandbox; calling it again does nothing. */
export function createWorktree({ dir, id, env, clock, remove }: WorktreeParts): Worktree {
  const closing = new AbortController();
  const running = new Set<Promise<unknown>>();
  /** Permission bits of files that an edit deleted, for the way back. */
  const modes = new Map<string, number>();
  let runs = 0;
  let disposed: Promise<void> | null = null;

  return {
    dir,
    async read(path) {
      const file = lexical(dir, path);
      return file === null ? null : orNull(readFile(file));
    },
    async exists(path) {
      const file = lexical(dir, path);
      return file !== null && (await orNull(stat(file))) !== null;
    },
    async write(edits, options = {}) {
      for (const edit of edits) await writeEdit(edit, options.reverse ? edit.before : edit.after);
    },
    async run(request, signal) {
      const cwd = lexical(dir, request.cwd ?? '.');
      if (cwd === null) throw new SelfwareError('forbidden', `The folder ${request.cwd} is outside the sandbox.`);
      runs += 1;
      const run = runCommand(request, { cwd, env, mark: `${id}/${runs}`, clock }, AbortSignal.any([signal, closing.signal]));
      running.add(run);
      try {
        return await run;
      } finally {
        running.delete(run);
      }
    },
    dispose() {
      disposed ??= close();
      return disposed;
    },
  };

  async function close(): Promise<void> {
    closing.abort();
    await Promise.allSettled(running);
    await remove();
  }

  async function writeEdit(edit: FileEdit, text: string | null): Promise<void> {
    const file = await safeTarget(dir, edit.path);
    if (text === null) {
      const found = await orNull(stat(file));
      if (found) modes.set(edit.path, found.mode);
      await rm(file, { force: true });
      return;
    }
    await mkdir(dirname(file), { recursive: true });
    await writeFile(file, text);
    const mode = modes.get(edit.path);
    if (mode !== undefined) await chmod(file, mode);
  }
}

/** The place of a path in the tree by its name alone; null when it leads out. */
function lexical(dir: string, path: string): string | null {
  if (isAbsolute(path) || path.includes('\0')) return null;
  const inside = normalize(path);
  return inside === '..' || inside.startsWith(`..${sep}`) ? null : join(dir, inside);
}

/** Where a write would land. Throws `forbidden` when that is a link, or leads through one out of the tree or into `.git`. */
async function safeTarget(dir: string, path: string): Promise<string> {
  const file = lexical(dir, path);
  if (file === null || file === dir) throw new SelfwareError('forbidden', `${path} is not a file of the repository.`);
  let folder = dirname(file);
  while ((await orNull(lstat(folder))) === null) folder = dirname(folder);
  const real = await realpath(folder);
  const inGit = join(real, file.slice(folder.length)).slice(dir.length).split(sep).some((part) => part.toLowerCase() === '.git');
  if (!isInside(dir, real) || inGit) throw new SelfwareError('forbidden', `${path} leads out of the repository.`);
  if ((await orNull(lstat(file)))?.isSymbolicLink()) throw new SelfwareError('forbidden', `${path} is a link; it is not written through.`);
  return file;
}

async function orNull<T>(work: Promise<T>): Promise<T | null> {
  try {
    return await work;
  } catch (error) {
    if (['ENOENT', 'ENOTDIR', 'EISDIR', 'ELOOP'].includes((error as NodeJS.ErrnoException).code ?? '')) return null;
    throw error;
  }
}
