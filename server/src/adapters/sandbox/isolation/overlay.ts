// Shows installed packages under an overlay: commands see the user's folder below the sandbox's own, which receives
// everything that they write, change and remove (overlayfs, Linux 5.11 or newer). A command may move folders of the
// tree, or replace them by links, so no path in the tree is trusted when the next command is enclosed: a mount that
// followed a link could cover a program that the set-up itself starts. So the shell enters the folder, asks the kernel
// for its current place, and mounts only with `.`.

import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { promisify } from 'node:util';
import type { CommandOverlay, FolderOverlay } from './enclosure.ts';
import { isNoexec, readMounts } from './mountTable.ts';
import { quoteForShell, findSystemProgram } from './mechanism.ts';

/** Characters that separate options, or have another special meaning in them. */
const SPECIAL_CHARACTERS = /[,:\\"\n]/;

/** True if these paths can be written as options of a mount. If not, packages are shared as links. */
export function canMountOverlay({ lower, path }: FolderOverlay): boolean {
  return !SPECIAL_CHARACTERS.test(lower) && !SPECIAL_CHARACTERS.test(path);
}

/**
 * Hides the lower entry that an overlay would show at `path`, by a character device with the number 0, which is how
 * overlayfs marks a removed entry. Throws the error of mknod(1).
 */
export async function hideLowerEntry(path: string): Promise<void> {
  await promisify(execFile)(findSystemProgram('mknod') ?? 'mknod', [path, 'c', '0', '0']);
}

/**
 * Lines of a POSIX shell that mount these overlays in its own mount namespace, before any other mount. They end the
 * shell if a mount fails. A folder that a command has moved away gets no overlay.
 */
export function createOverlayLines(overlays: readonly CommandOverlay[]): readonly string[] {
  if (overlays.length === 0) return [];
  const mounts = readMounts();
  const mount = quoteForShell(findSystemProgram('mount') ?? 'mount');
  const lines = overlays
    .filter(({ lower }) => existsSync(lower))
    .flatMap(({ lower, path, work }) => {
      const flags = `nosuid,nodev${isNoexec(lower, mounts) ? ',noexec' : ''}`;
      // Nothing has to survive a crash of the machine, so the end of a command need not wait for the disk.
      const options = `userxattr,volatile,${flags},lowerdir=${lower},upperdir=.,workdir=${work}`;
      return [
        `if cd ${quoteForShell(path)} 2> /dev/null && [ "$(pwd -P)" = ${quoteForShell(path)} ]; then`,
        `  ${mount} -i -c -t overlay -o ${quoteForShell(options)} overlay . || exit 1`,
        'fi',
      ];
    });
  return [...lines, 'cd /'];
}

/** The place in the lower folder of the overlay that covers a path of the tree. Null if no overlay covers it. */
export function findPathBelowOverlay(overlays: readonly FolderOverlay[], path: string): string | null {
  const overlay = overlays.find((candidate) => path.startsWith(`${candidate.path}/`));
  return overlay === undefined ? null : overlay.lower + path.slice(overlay.path.length);
}
