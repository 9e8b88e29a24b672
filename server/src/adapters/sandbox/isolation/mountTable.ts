// Performs many mounts with one call of mount(8), which reads a table in the format of fstab(5). The table must be a
// file, because mount(8) cannot read a pipe.

import { readFileSync, statSync } from 'node:fs';
import { dirname } from 'node:path';
import { isInside } from '../isInside.ts';
import type { MountLayer } from './enclosure.ts';
import { quoteForShell } from './mechanism.ts';

/** One mount: a row of the table. */
export interface Mount {
  readonly source: string;
  readonly target: string;
  /** `none` for a bind mount. */
  readonly type: string;
  readonly options: string;
}

/** A bind mount. `isRecursive`: also binds the mounts below the source. */
export function createBindMount(source: string, target: string, options: string, isRecursive = false): Mount {
  const kind = isRecursive ? 'rbind' : 'bind';
  return { source, target, type: 'none', options: options === '' ? kind : `${kind},${options}` };
}

/**
 * Shell lines that perform these mounts in this order; none without mounts. They fail if one mount fails.
 * `mountProgram`: the path of mount(8); `tablePath`: the file to write.
 */
export function createMountLines(mountProgram: string, tablePath: string, mounts: readonly Mount[]): readonly string[] {
  return mounts.length === 0
    ? []
    : [
        `printf '%s\\n' ${mounts.map((entry) => quoteForShell(formatTableLine(entry))).join(' ')} > ${quoteForShell(tablePath)}`,
        formatMountCommand(mountProgram, tablePath),
      ];
}

/**
 * Shell lines that perform those of the mounts, in this order, whose target exists when the lines run; none without
 * mounts. They fail if one mount fails. `mountProgram`: the path of mount(8); `tablePath`: the file to write.
 */
export function createMountLinesForExistingTargets(
  mountProgram: string,
  tablePath: string,
  mounts: readonly Mount[],
): readonly string[] {
  if (mounts.length === 0) return [];
  const lines = mounts.map(
    (entry) => `[ ! -e ${quoteForShell(entry.target)} ] || printf '%s\\n' ${quoteForShell(formatTableLine(entry))}`,
  );
  return ['{', ...lines, `} > ${quoteForShell(tablePath)}`, formatMountCommand(mountProgram, tablePath)];
}

/**
 * The layers, grouped by the number of other layers that contain them: first those that no other layer contains. In
 * `layers`, each must come after those that contain it.
 */
export function groupByDepth(layers: readonly MountLayer[]): readonly (readonly MountLayer[])[] {
  const depthByPath = new Map<string, number>();
  const layersByDepth: MountLayer[][] = [];
  for (const layer of layers) {
    const depth = depthByPath.get(findNearestAbove(layer.path, depthByPath)) ?? -1;
    depthByPath.set(layer.path, depth + 1);
    (layersByDepth[depth + 1] ??= []).push(layer);
  }
  return layersByDepth;
}

/** A mount that exists now (proc_pid_mountinfo(5)). */
export interface ExistingMount {
  readonly mountPoint: string;
  /** Number of the mounted device, as in `dev` of stat(2). */
  readonly device: number;
  /** True if programs on the mount cannot be executed. */
  readonly isNoexec: boolean;
}

/** The mounted file system. */
interface FileSystem {
  /** The folder of the file system that is seen at the mount point. */
  readonly root: string;
  readonly type: string;
  /** Options of the file system, not of the mount. */
  readonly options: string;
}

/** All mounts in the order of the system's list. Empty if the system does not report them. */
export function readMounts(): readonly (ExistingMount & FileSystem)[] {
  let text: string;
  try {
    text = readFileSync('/proc/self/mountinfo', 'latin1');
  } catch {
    return [];
  }
  return text
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => {
      const [mountFields = '', fileSystemFields = ''] = line.split(' - ');
      const [, , device = '', root = '', point = '', options = ''] = mountFields.split(' ');
      const [type = '', , systemOptions = ''] = fileSystemFields.split(' ');
      const [major = 0, minor = 0] = device.split(':').map(Number);
      return {
        root: decodeOctal(root),
        mountPoint: decodeOctal(point),
        type,
        options: systemOptions,
        device: createDeviceNumber(major, minor),
        isNoexec: options.split(',').includes('noexec'),
      };
    });
}

/**
 * True if the mount that contains `path` forbids the execution of programs. This cannot be lifted in another namespace,
 * so it must be repeated there (mount_namespaces(7)).
 */
export function isNoexec(path: string, mounts: readonly ExistingMount[]): boolean {
  const device = statSync(path, { throwIfNoEntry: false })?.dev;
  const enclosingMounts = mounts.filter(({ mountPoint }) => isInside(mountPoint, path));
  const findNearestMount = (candidates: readonly ExistingMount[]) =>
    candidates.reduce<ExistingMount | null>(
      (best, candidate) => (best && best.mountPoint.length > candidate.mountPoint.length ? best : candidate),
      null,
    );
  // A mount may be covered by another mount; the file's device shows which of them is visible.
  return (
    (
      findNearestMount(enclosingMounts.filter((enclosing) => enclosing.device === device)) ??
      findNearestMount(enclosingMounts)
    )?.isNoexec ?? false
  );
}

function formatMountCommand(mountProgram: string, tablePath: string): string {
  return `${mountProgram} --all --fstab ${quoteForShell(tablePath)}`;
}

function formatTableLine({ source, target, type, options }: Mount): string {
  return `${escapePath(source)} ${escapePath(target)} ${type} ${options} 0 0`;
}

/** Escapes white space, backslashes and `#` as octal sequences. */
function escapePath(path: string): string {
  return path.replace(/[\s\\#]/g, (character) =>
    [...Buffer.from(character)].map((byte) => `\\${byte.toString(8).padStart(3, '0')}`).join(''),
  );
}

function decodeOctal(path: string): string {
  const bytes = path.replace(/\\([0-7]{3})/g, (_, octal: string) => String.fromCharCode(Number.parseInt(octal, 8)));
  return Buffer.from(bytes, 'latin1').toString('utf8');
}

/** The number that stat(2) reports for a device (makedev(3)). */
function createDeviceNumber(major: number, minor: number): number {
  return ((minor & 0xff) | ((major & 0xfff) << 8)) + (minor >> 8) * 0x100000;
}

/** The nearest folder above a path that is a key of `depthByPath`; empty if there is none. */
function findNearestAbove(path: string, depthByPath: ReadonlyMap<string, number>): string {
  for (let parent = dirname(path); parent !== dirname(parent); parent = dirname(parent))
    if (depthByPath.has(parent)) return parent;
  return '';
}
