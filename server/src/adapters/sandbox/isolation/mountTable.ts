// Does many mounts with one mount(8), which reads a table like fstab(5). The table must be a file, because mount(8)
// cannot read a pipe.

import { readFileSync, statSync } from 'node:fs';
import { dirname } from 'node:path';
import { isInside } from '../inside.ts';
import type { MountLayer } from './enclosure.ts';
import { shellQuote } from './mechanism.ts';

/** One mount: a row of the table. */
export interface Mount {
  readonly source: string;
  readonly target: string;
  /** `none` for a bind mount. */
  readonly type: string;
  readonly options: string;
}

/** A bind mount; with `includesInner`, it includes the mounts below the source. */
export function bindMount(source: string, target: string, options: string, includesInner = false): Mount {
  const kind = includesInner ? 'rbind' : 'bind';
  return { source, target, type: 'none', options: options === '' ? kind : `${kind},${options}` };
}

/** Lines of a shell that do these mounts in this order. They fail if one of the mounts fails. */
export function mountAll(mount: string, table: string, mounts: readonly Mount[]): readonly string[] {
  return mounts.length === 0
    ? []
    : [
        `printf '%s\\n' ${mounts.map((entry) => shellQuote(lineOf(entry))).join(' ')} > ${shellQuote(table)}`,
        mountCommand(mount, table),
      ];
}

/** Lines that do these mounts like `mountAll`, without those whose target does not exist at that time. */
export function mountExisting(mount: string, table: string, mounts: readonly Mount[]): readonly string[] {
  if (mounts.length === 0) return [];
  const lines = mounts.map(
    (entry) => `[ ! -e ${shellQuote(entry.target)} ] || printf '%s\\n' ${shellQuote(lineOf(entry))}`,
  );
  return ['{', ...lines, `} > ${shellQuote(table)}`, mountCommand(mount, table)];
}

/**
 * Layers grouped by how many others contain them: first those that no other layer contains. In `layers`, each must come
 * after those that contain it.
 */
export function groupByDepth(layers: readonly MountLayer[]): readonly (readonly MountLayer[])[] {
  const depthOf = new Map<string, number>();
  const generations: MountLayer[][] = [];
  for (const layer of layers) {
    const depth = depthOf.get(findNearestAbove(layer.path, depthOf)) ?? -1;
    depthOf.set(layer.path, depth + 1);
    (generations[depth + 1] ??= []).push(layer);
  }
  return generations;
}

/** One mount of a machine (proc_pid_mountinfo(5)). */
export interface ExistingMount {
  readonly point: string;
  readonly device: number;
  readonly noexec: boolean;
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
      const [place = '', system = ''] = line.split(' - ');
      const [, , device = '', root = '', point = '', options = ''] = place.split(' ');
      const [type = '', , systemOptions = ''] = system.split(' ');
      const [major = 0, minor = 0] = device.split(':').map(Number);
      return {
        root: decodeOctal(root),
        point: decodeOctal(point),
        type,
        options: systemOptions,
        device: deviceNumber(major, minor),
        noexec: options.split(',').includes('noexec'),
      };
    });
}

/**
 * True if the mount that contains `path` forbids programs. This cannot be lifted in another namespace, so it must be
 * repeated there (mount_namespaces(7)).
 */
export function forbidsPrograms(path: string, mounts: readonly ExistingMount[]): boolean {
  const device = statSync(path, { throwIfNoEntry: false })?.dev;
  const enclosingMounts = mounts.filter(({ point }) => isInside(point, path));
  const nearest = (candidates: readonly ExistingMount[]) =>
    candidates.reduce<ExistingMount | null>(
      (best, candidate) => (best && best.point.length > candidate.point.length ? best : candidate),
      null,
    );
  // A mount may be covered by another one; the file's device shows which of them is visible.
  return (
    (nearest(enclosingMounts.filter((enclosing) => enclosing.device === device)) ?? nearest(enclosingMounts))?.noexec ??
    false
  );
}

function mountCommand(mount: string, table: string): string {
  return `${mount} --all --fstab ${shellQuote(table)}`;
}

function lineOf({ source, target, type, options }: Mount): string {
  return `${escapePath(source)} ${escapePath(target)} ${type} ${options} 0 0`;
}

/** Writes separators of fields and lines, backslashes and comment signs as octal numbers. */
function escapePath(path: string): string {
  return path.replace(/[\s\\#]/g, (character) =>
    [...Buffer.from(character)].map((byte) => `\\${byte.toString(8).padStart(3, '0')}`).join(''),
  );
}

function decodeOctal(path: string): string {
  const bytes = path.replace(/\\([0-7]{3})/g, (_, octal: string) => String.fromCharCode(Number.parseInt(octal, 8)));
  return Buffer.from(bytes, 'latin1').toString('utf8');
}

function deviceNumber(major: number, minor: number): number {
  return ((minor & 0xff) | ((major & 0xfff) << 8)) + (minor >> 8) * 0x100000;
}

/** The nearest known folder above a path; empty if there is none. */
function findNearestAbove(path: string, knownPaths: ReadonlyMap<string, number>): string {
  for (let parent = dirname(path); parent !== dirname(parent); parent = dirname(parent))
    if (knownPaths.has(parent)) return parent;
  return '';
}
