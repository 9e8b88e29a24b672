// Operates one open sandbox: reads, writes and runs only in its own tree.

import { randomBytes } from 'node:crypto';
import { constants } from 'node:fs';
import { lstat, mkdir, open, readdir, realpath, rename, rm, stat } from 'node:fs/promises';
import { delimiter, isAbsolute, join, normalize, relative, sep } from 'node:path';
import { SelfwareError } from '../../util/typedError.ts';
import { withWatchdog } from '../../util/watchdog.ts';
import { readRegular } from '../files/safeRead.ts';
import { openFoldersAbove, type HeldPlace } from '../files/heldFolder.ts';
import type { Environment } from './environment.ts';
import type { Admission } from './admission.ts';
import type { Encloser } from './isolation/createEncloser.ts';
import type { FolderOverlay } from './isolation/enclosure.ts';
import { findPathBelowOverlay } from './isolation/overlay.ts';
import type { CommandLimits, TaskLimit } from './limits.ts';
import { runCommand } from './runCommand.ts';
import type { Clock } from '../../core/ports/system.ts';
import type { Worktree } from '../../core/ports/sandbox.ts';
import { isInside } from './isInside.ts';

/** Error codes of the system for a path at which no file can be written. */
const UNWRITABLE_CODES = new Set(['EISDIR', 'ENOTDIR', 'EEXIST', 'ENAMETOOLONG']);
/** Flags of open(2) that only open a newly created file, without blocking. */
const NEW_FILE =
  constants.O_WRONLY | constants.O_CREAT | constants.O_EXCL | (constants.O_NOFOLLOW ?? 0) | (constants.O_NONBLOCK ?? 0);
/**
 * Maximum number of bytes of a file that is read: more than any useful file has. A command may have created a file of
 * any size.
 */
const MAX_READABLE_BYTES = 256 * 1024 * 1024;

/** The parts of an open sandbox. */
export interface WorktreeParts {
  /** The folder that corresponds to the root of the repository. Absolute and free of links. */
  readonly dir: string;
  readonly id: string;
  /** The environment of commands. */
  readonly env: Environment;
  readonly clock: Clock;
  readonly limits: CommandLimits;
  readonly taskLimit: TaskLimit;
  readonly encloser: Encloser;
  /**
   * The only folders that may be read, because a command may have left a link to any place: the sandbox's tree, then
   * those of shared packages.
   */
  readonly readable: readonly string[];
  /** Installed packages that only commands see in the tree. */
  readonly overlays: readonly FolderOverlay[];
  readonly admission: Admission;
  /** Called when all commands have ended. */
  release(): Promise<void>;
}

/**
 * Creates the work tree. `dispose` ends running commands, then releases the sandbox, which is then reused or removed;
 * further calls do nothing.
 */
export function createWorktree({
  dir,
  id,
  env,
  clock,
  limits,
  taskLimit,
  encloser,
  readable,
  overlays,
  admission,
  release,
}: WorktreeParts): Worktree {
  const closing = new AbortController();
  const running = new Set<Promise<unknown>>();
  /** Permission bits of files that an edit deleted, for restoring them. */
  const modesByDeletedPath = new Map<string, number>();
  let runCount = 0;
  let disposal: Promise<void> | null = null;
  /** The sandbox's whole tree, of which `dir` may be a part. */
  const top = readable.find((folder) => isInside(folder, dir)) ?? dir;
  const prefix = relative(top, dir).replaceAll(sep, '/');
  const findOverlayPath = (path: string) => findPathBelowOverlay(overlays, path);

  return {
    dir,
    ...(prefix === '' ? {} : { prefix }),
    async read(path) {
      const file = resolveTreePath(dir, path);
      if (file === null || closing.signal.aborted) return null;
      return withWatchdog(readVisible(file), `Reading ${shortenPath(path)} in the sandbox`);
    },
    async exists(path) {
      const file = resolveTreePath(top, join(relative(top, dir), path));
      if (file === null || closing.signal.aborted) return false;
      return withWatchdog(isVisible(file), `Looking at ${shortenPath(path)} in the sandbox`);
    },
    list: async () =>
      closing.signal.aborted ? [] : withWatchdog(listFiles(dir, ''), 'Listing the files of the sandbox'),
    async write(edits, options = {}) {
      if (closing.signal.aborted) throw new SelfwareError('internal', 'The sandbox is closed.');
      for (const edit of edits) {
        const work = writeAt(edit.path, options.reverse ? edit.before : edit.after);
        await withWatchdog(work, `Writing ${shortenPath(edit.path)} in the sandbox`);
      }
    },
    async place(files) {
      if (closing.signal.aborted) throw new SelfwareError('internal', 'The sandbox is closed.');
      for (const { path, bytes, executable } of files) {
        const work = writeAt(path, bytes, executable ? 0o755 : 0o644);
        await withWatchdog(work, `Writing ${shortenPath(path)} in the sandbox`);
      }
    },
    async run(request, signal) {
      const cwd = resolveTreePath(dir, request.cwd ?? '.');
      if (cwd === null) throw new SelfwareError('forbidden', `The folder ${request.cwd} is outside the sandbox.`);
      const lastFile = request.lastFile === undefined ? null : resolveTreePath(dir, request.lastFile);
      runCount += 1;
      const number = runCount;
      const either = AbortSignal.any([signal, closing.signal]);
      const startCommand = () =>
        runCommand(
          request,
          {
            cwd,
            env: request.outsidePrograms ? removeTreePrograms(top, env) : env,
            mark: `${id}/${number}`,
            clock,
            limits,
            taskLimit,
            folder: dir,
            lastFile,
            isVisible: encloser.isVisible,
            resolveElsewhere: findOverlayPath,
            enclose: (command) => encloser.enclose(command, cwd, number),
          },
          either,
        );
      // A part of the machine may have appeared or disappeared while the isolation was prepared. The command has not
      // started then, so this is tried once more.
      const run = admission.admit(
        () =>
          startCommand().catch((error: unknown) =>
            isSelfwareError(error, 'unavailable') ? startCommand() : Promise.reject(error as Error),
          ),
        either,
      );
      running.add(run);
      try {
        return await run;
      } finally {
        running.delete(run);
        await encloser.release(number);
      }
    },
    dispose() {
      disposal ??= close();
      return disposal;
    },
  };

  /**
   * The bytes of a file as commands see it: the tree's own contents hide those of the lower folder of an overlay. Null
   * if there is no such file.
   */
  async function readVisible(file: string): Promise<Uint8Array | null> {
    const treeBytes = await nullIfNothingToRead(readInside(file, readable));
    const overlayFile = treeBytes === null ? findOverlayPath(file) : null;
    return overlayFile === null || (await nullIfNothingToRead(lstat(file))) !== null
      ? treeBytes
      : nullIfNothingToRead(readInside(overlayFile, readable));
  }

  /** True if commands see something at the path. */
  async function isVisible(file: string): Promise<boolean> {
    const treeStats = await nullIfNothingToRead(lstat(file));
    // A removed entry of an overlay is a character device without a number.
    if (treeStats !== null) return !treeStats.isCharacterDevice() && (await nullIfNothingToRead(stat(file))) !== null;
    const overlayFile = findOverlayPath(file);
    return overlayFile !== null && (await nullIfNothingToRead(stat(overlayFile))) !== null;
  }

  async function close(): Promise<void> {
    closing.abort();
    await Promise.allSettled(running);
    await release();
  }

  /**
   * Writes a file; `content` null deletes it. Without `wantedMode`, an existing file keeps its permission bits, and a
   * deleted one gets back those that it had. Throws `forbidden` for a path at which no file can be written.
   */
  async function writeAt(path: string, content: string | Uint8Array | null, wantedMode?: number): Promise<void> {
    const segments = collectSegments(dir, path);
    try {
      await using heldPlace = await openFoldersAbove(dir, segments, content === null ? undefined : makeFolder);
      if (heldPlace === null) return;
      const stats = await nullIfNothingToRead(lstat(heldPlace.file));
      if (stats?.isSymbolicLink())
        throw new SelfwareError('forbidden', `${path} is a link; it is not written through.`);
      if (content === null) {
        if (stats) modesByDeletedPath.set(path, stats.mode);
        await rm(heldPlace.file, { force: true });
      } else {
        const mode = wantedMode ?? (stats?.isFile() ? stats.mode : modesByDeletedPath.get(path));
        await replaceFile(heldPlace, content, mode === undefined ? undefined : mode & 0o7777);
      }
    } catch (error) {
      if (!UNWRITABLE_CODES.has((error as NodeJS.ErrnoException).code ?? '')) throw error;
      const reason = 'a folder is in its place, a file in that of a folder, or it is too long';
      throw new SelfwareError('forbidden', `${shortenPath(path)} cannot be written: ${reason}.`, { cause: error });
    }
  }
}

/** The environment whose path of programs has only absolute folders outside of the tree. */
function removeTreePrograms(tree: string, env: Environment): Environment {
  const folders = (env['PATH'] ?? '').split(delimiter);
  const outsideFolders = folders.filter((folder) => isAbsolute(folder) && !isInside(tree, folder));
  return { ...env, PATH: outsideFolders.join(delimiter) };
}

function isSelfwareError(error: unknown, reason: SelfwareError['reason']): boolean {
  return error instanceof SelfwareError && error.reason === reason;
}

function shortenPath(path: string): string {
  return path.length > 100 ? `${path.slice(0, 100)}…` : path;
}

/**
 * The bytes of a regular file whose real path lies in one of the folders. Null for a larger file than
 * `MAX_READABLE_BYTES` and for other kinds of entries, because a pipe would block its reader forever. Throws errors of
 * the system.
 */
async function readInside(file: string, folders: readonly string[]): Promise<Uint8Array | null> {
  const realPath = await realpath(file);
  const stats = await stat(realPath);
  if (!folders.some((folder) => isInside(folder, realPath)) || !stats.isFile() || stats.size > MAX_READABLE_BYTES)
    return null;
  return readRegular(realPath, realPath);
}

/**
 * The absolute path of a relative path in `folder`, by its text only. Null if it is absolute, leads outside, or has a
 * NUL byte.
 */
function resolveTreePath(folder: string, path: string): string | null {
  if (isAbsolute(path) || path.includes('\0')) return null;
  const relativePath = normalize(path);
  return relativePath === '..' || relativePath.startsWith(`..${sep}`) ? null : join(folder, relativePath);
}

/** The parts of the path to a writable file. Throws `forbidden` if they lead out of the tree or into `.git`. */
function collectSegments(folder: string, path: string): readonly string[] {
  const file = resolveTreePath(folder, path);
  if (file === null || file === folder)
    throw new SelfwareError('forbidden', `${path} is not a file of the repository.`);
  const segments = file.slice(folder.length + 1).split(sep);
  if (!segments.some((part) => part.toLowerCase() === '.git')) return segments;
  throw new SelfwareError('forbidden', `${path} leads out of the repository.`);
}

async function makeFolder(path: string): Promise<void> {
  await mkdir(path).catch((error: NodeJS.ErrnoException) => {
    if (error.code !== 'EEXIST') throw error;
  });
}

/**
 * Writes a new file, which then replaces anything that a command has put at its place, for instance a pipe, which would
 * block its writer forever. No existing file is opened.
 */
async function replaceFile(
  { folder, file }: HeldPlace,
  content: string | Uint8Array,
  mode: number | undefined,
): Promise<void> {
  const temporary = join(folder, `.selfware-${randomBytes(8).toString('hex')}`);
  try {
    const handle = await open(temporary, NEW_FILE, 0o666);
    try {
      await handle.writeFile(content);
      if (mode !== undefined) await handle.chmod(mode);
    } finally {
      await handle.close();
    }
    await rename(temporary, file);
  } catch (error) {
    await rm(temporary, { force: true });
    throw error;
  }
}

/** Paths of the regular files below a folder, sorted, without those in `.git` and `node_modules`. */
async function listFiles(dir: string, folder: string): Promise<string[]> {
  const entries = (await nullIfNothingToRead(readdir(join(dir, folder), { withFileTypes: true }))) ?? [];
  const lists = await Promise.all(
    entries.map((entry) => {
      const path = folder === '' ? entry.name : `${folder}/${entry.name}`;
      if (entry.isDirectory())
        return entry.name === '.git' || entry.name === 'node_modules' ? [] : listFiles(dir, path);
      return entry.isFile() ? [path] : [];
    }),
  );
  const paths = lists.flat();
  return folder === '' ? paths.sort() : paths;
}

/**
 * The result of the work; null if it fails with an error of the system which means that there is nothing to read.
 * Throws other errors.
 */
async function nullIfNothingToRead<T>(work: Promise<T>): Promise<T | null> {
  try {
    return await work;
  } catch (error) {
    if (
      ['ENOENT', 'ENOTDIR', 'EISDIR', 'ELOOP', 'EACCES', 'ENAMETOOLONG'].includes(
        (error as NodeJS.ErrnoException).code ?? '',
      )
    )
      return null;
    throw error;
  }
}
