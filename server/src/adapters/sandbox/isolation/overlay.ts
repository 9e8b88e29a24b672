// Installed packages under an overlay: commands see the user's folder with the sandbox's own on top of it, which takes
// all that they write, change and remove (overlayfs, Linux 5.11 or newer).
//
// A command may move folders of the tree, or put links in their place, so no path in the tree is believed when the next
// command is being enclosed: a mount that followed a link could cover a program that the set-up itself starts. The
// shell therefore steps into the folder, asks the kernel where it is now, and mounts on and with `.` alone.

import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { promisify } from 'node:util';
import type { Laid, Overlay } from './enclosure.ts';
import { forbidsPrograms, mountsOfMachine } from './mountTable.ts';
import { quoted, systemProgram } from './mechanism.ts';

/** Characters that separate options, or are read otherwise in them. */
const UNFIT = /[,:\\"\n]/;

/** False if a mount could not be told of these paths: there, packages are lent as links. */
export function canBeLaid({ lower, path }: Overlay): boolean {
  return !UNFIT.test(lower) && !UNFIT.test(path);
}

/** Leaves what is below out, by the mark that overlayfs itself makes where something is removed. */
export async function coverUp(path: string): Promise<void> {
  await promisify(execFile)(systemProgram('mknod') ?? 'mknod', [path, 'c', '0', '0']);
}

/**
 * Lines of a POSIX shell that lay these overlays in a mount namespace of its own, before anything else is mounted. They
 * end the shell if a mount fails. What a command has moved away has no overlay.
 */
export function overlayLines(overlays: readonly Laid[]): readonly string[] {
  if (overlays.length === 0) return [];
  const mounts = mountsOfMachine();
  const mount = quoted(systemProgram('mount') ?? 'mount');
  const lines = overlays
    .filter(({ lower }) => existsSync(lower))
    .flatMap(({ lower, path, work }) => {
      const kept = `nosuid,nodev${forbidsPrograms(lower, mounts) ? ',noexec' : ''}`;
      // Nothing needs to survive a crash of the machine, so the end of a command need not wait for the disk.
      const options = `userxattr,volatile,${kept},lowerdir=${lower},upperdir=.,workdir=${work}`;
      return [
        `if cd ${quoted(path)} 2> /dev/null && [ "$(pwd -P)" = ${quoted(path)} ]; then`,
        `  ${mount} -i -c -t overlay -o ${quoted(options)} overlay . || exit 1`,
        'fi',
      ];
    });
  return [...lines, 'cd /'];
}

/** Where a path of the tree is found that only the folder below has. Null for what no overlay covers. */
export function belowOverlay(overlays: readonly Overlay[], path: string): string | null {
  const found = overlays.find((one) => path.startsWith(`${one.path}/`));
  return found === undefined ? null : found.lower + path.slice(found.path.length);
}
