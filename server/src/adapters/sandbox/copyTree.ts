// Copies the files of the repository byte for byte as they are on disk, not as git would check them out.

import { lstatSync, mkdirSync, readlinkSync, symlinkSync } from 'node:fs';
import { dirname, isAbsolute, join, relative } from 'node:path';
import { setImmediate as turn } from 'node:timers/promises';
import { SelfwareError, throwIfCancelled } from '../../util/typedError.ts';
import { copyRegularSync } from '../files/safeRead.ts';
import type { RepositoryContent } from './repositoryContent.ts';
import type { Log } from '../../core/ports/system.ts';
import { isInside } from './isInside.ts';

/**
 * Number of files that are copied synchronously before other work gets a turn. Awaiting each of thousands of files
 * would take several times as long as copying them, and copying this many takes only a few milliseconds.
 */
const FILES_PER_TURN = 32;

/**
 * Copies `files` (of `content`, whose folders are also created) from the user's tree to `tree`. Skips missing files,
 * and logs and skips those that cannot be read or created. Throws `cancelled` and other errors of the system.
 */
export async function copyTree(
  content: RepositoryContent,
  files: readonly string[],
  tree: string,
  log: Log,
  signal: AbortSignal,
): Promise<void> {
  const folders = new Set([...files.map((path) => dirname(path)), ...content.submodules]);
  for (const folder of folders) mkdirSync(join(tree, folder), { recursive: true });
  for (const [index, path] of files.entries()) {
    if (index % FILES_PER_TURN === 0) await turn();
    throwIfCancelled(signal);
    try {
      copyEntry(content.top, tree, path);
    } catch (error) {
      const code = (error as NodeJS.ErrnoException).code ?? '';
      if (code === 'ENOENT' || code === 'ENOTDIR') continue;
      // A file that has become something else since it was listed is refused when it is opened.
      const isRefused = error instanceof SelfwareError && error.reason === 'unreadable';
      if (!isRefused && !['EACCES', 'EPERM', 'EEXIST', 'EISDIR', 'ELOOP'].includes(code)) throw error;
      log.write('warn', `${path} could not be copied into the sandbox.`, error);
    }
  }
}

function copyEntry(top: string, tree: string, path: string): void {
  const source = join(top, path);
  const stat = lstatSync(source);
  if (stat.isFile()) return copyRegularSync(source, join(tree, path));
  if (!stat.isSymbolicLink()) return;
  const target = readlinkSync(source);
  // A link into the user's tree would let a test write there, so it is redirected to the sandbox's tree.
  const redirectedTarget = isAbsolute(target) && isInside(top, target) ? join(tree, relative(top, target)) : target;
  symlinkSync(redirectedTarget, join(tree, path));
}
