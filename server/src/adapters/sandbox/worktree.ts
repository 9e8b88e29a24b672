// One open sandbox: reads, writes and runs in its tree, and nowhere else.

import { chmod, lstat, mkdir, readdir, realpath, rm, stat, writeFile } from 'node:fs/promises';
import { dirname, isAbsolute, join, normalize, sep } from 'node:path';
import type { FileEdit } from '../../core/model.ts';
import type { Clock, Worktree } from '../../core/ports.ts';
import { SelfwareError } from '../../util/typedError.ts';
import { readRegular } from '../files/door.ts';
import { isInside } from './copyTree.ts';
import type { Environment } from './environment.ts';
import type { Admission } from './admission.ts';
import type { Encloser } from './isolation/createEncloser.ts';
import type { Limits } from './limits.ts';
import { runCommand } from './runCommand.ts';

export interface WorktreeParts {
  /** Absolute and free of links. */
  readonly dir: string;
  readonly id: string;
  readonly env: Environment;
  readonly clock: Clock;
  readonly limits: Limits;
  readonly encloser: Encloser;
  /** Folders from which bytes may come, the sandbox's tree first: a command may have left a link to anything. */
  readonly readable: readonly string[];
  readonly admission: Admission;
  /** Called when nothing runs any more. */
  release(): Promise<void>;
}

/** `dispose` ends what still runs, then lets go of the sandbox, which is another's or gone from then on; calling it again does nothing. */
export function createWorktree({ dir, id, env, clock, limits, encloser, readable, admission, release }: WorktreeParts): Worktree {
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
      return file === null || closing.signal.aborted ? null : orNull(readInside(file, readable));
    },
    async exists(path) {
      const file = lexical(dir, path);
      return file !== null && !closing.signal.aborted && (await orNull(stat(file))) !== null;
    },
    list: async () => (closing.signal.aborted ? [] : filesIn(dir, '')),
    async write(edits, options = {}) {
      if (closing.signal.aborted) throw new SelfwareError('internal', 'The sandbox is closed.');
      for (const edit of edits) await writeEdit(edit, options.reverse ? edit.before : edit.after);
    },
    async run(request, signal) {
      const cwd = lexical(dir, request.cwd ?? '.');
      if (cwd === null) throw new SelfwareError('forbidden', `The folder ${request.cwd} is outside the sandbox.`);
      runs += 1;
      const number = runs;
      const either = AbortSignal.any([signal, closing.signal]);
      const start = () => runCommand(request, { cwd, env, mark: `${id}/${number}`, clock, limits, folder: dir, enclose: (command) => encloser.enclose(command, cwd, number) }, either);
      // Something on the machine may have come or gone while a command was being shut in; it has not begun then.
      const run = admission.admit(() => start().catch((error: unknown) => (isSelfwareError(error, 'unavailable') ? start() : Promise.reject(error as Error))), either);
      running.add(run);
      try {
        return await run;
      } finally {
        running.delete(run);
        await encloser.release(number);
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
    await release();
  }

  async function writeEdit(edit: FileEdit, text: string | null): Promise<void> {
    const file = await safeTarget(dir, edit.path);
    if (text === null) {
      const found = await orNull(stat(file));
      if (found) modes.set(edit.path, found.mode);
      await rm(file, { force: true });
      return;
    }
    try {
      await mkdir(dirname(file), { recursive: true });
      await writeFile(file, text);
    } catch (error) {
      if (!UNWRITABLE.has((error as NodeJS.ErrnoException).code ?? '')) throw error;
      throw new SelfwareError('forbidden', `${shortened(edit.path)} cannot be written: a folder is in its place, a file in that of a folder, or it is too long.`, { cause: error });
    }
    const mode = modes.get(edit.path);
    if (mode !== undefined) await chmod(file, mode);
  }
}

function isSelfwareError(error: unknown, reason: SelfwareError['reason']): boolean {
  return error instanceof SelfwareError && error.reason === reason;
}

/** What the system says of a place where no file can be. */
const UNWRITABLE = new Set(['EISDIR', 'ENOTDIR', 'EEXIST', 'ENAMETOOLONG']);

function shortened(path: string): string {
  return path.length > 100 ? `${path.slice(0, 100)}…` : path;
}

/** Larger than anything that is worth reading; a command may have made a file of any size. */
const READABLE_BYTES = 256 * 1024 * 1024;

/** A link is followed while it stays inside; a pipe, which would keep its reader waiting for ever, is none of the files. */
async function readInside(file: string, folders: readonly string[]): Promise<Uint8Array | null> {
  const real = await realpath(file);
  const found = await stat(real);
  if (!folders.some((folder) => isInside(folder, real)) || !found.isFile() || found.size > READABLE_BYTES) return null;
  return readRegular(real, real);
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

async function filesIn(dir: string, folder: string): Promise<string[]> {
  const entries = (await orNull(readdir(join(dir, folder), { withFileTypes: true }))) ?? [];
  const found = await Promise.all(
    entries.map((entry) => {
      const path = folder === '' ? entry.name : `${folder}/${entry.name}`;
      if (entry.isDirectory()) return entry.name === '.git' || entry.name === 'node_modules' ? [] : filesIn(dir, path);
      return entry.isFile() ? [path] : [];
    }),
  );
  const paths = found.flat();
  return folder === '' ? paths.sort() : paths;
}

async function orNull<T>(work: Promise<T>): Promise<T | null> {
  try {
    return await work;
  } catch (error) {
    if (['ENOENT', 'ENOTDIR', 'EISDIR', 'ELOOP', 'EACCES', 'ENAMETOOLONG'].includes((error as NodeJS.ErrnoException).code ?? '')) return null;
    throw error;
  }
}
