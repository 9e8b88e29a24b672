// What every way to isolate a command has in common.

import { existsSync } from 'node:fs';
import { join } from 'node:path';
import type { Limits } from '../limits.ts';
import type { Enclosure } from './enclosure.ts';
import type { IsolationKind } from '../../../core/ports/sandbox.ts';

/** A program with its arguments; the program may be a name that is looked up in the path of its environment. */
export type CommandLine = readonly [program: string, ...args: string[]];

export interface Mechanism {
  readonly kind: IsolationKind;
  /** True when it can show a folder under another name. */
  readonly mounts: boolean;
  /** True when it can lay an overlay over a folder of the tree. */
  readonly overlays: boolean;
  /** True when it passes our filter of system calls on to the kernel. */
  readonly filtersCalls: boolean;
  /** What the machine lacks for it, or null when it can be tried. */
  missing(): string | null;
  /** The command line that runs `command` in `cwd`, enclosed. Its program is an absolute path. */
  enclose(command: CommandLine, cwd: string, enclosure: Enclosure, limits: Limits): CommandLine;
}

/**
 * Never the path of the environment: the repository's own programs come first there, and these run before anything is
 * closed.
 */
const SYSTEM_FOLDERS = [
  '/usr/bin',
  '/bin',
  '/usr/sbin',
  '/sbin',
  '/usr/local/bin',
  '/usr/local/sbin',
  '/run/current-system/sw/bin',
  '/run/wrappers/bin',
];

/** Absolute path of a program of the system, or null. */
export function systemProgram(name: string): string | null {
  return SYSTEM_FOLDERS.map((folder) => join(folder, name)).find((path) => existsSync(path)) ?? null;
}

/** What is missing of these programs, as a sentence. */
export function missingPrograms(names: readonly string[]): string | null {
  const absent = names.filter((name) => systemProgram(name) === null);
  return absent.length === 0 ? null : `${absent.join(', ')} ${absent.length === 1 ? 'is' : 'are'} not installed`;
}

/** For a POSIX shell. */
export function quoted(text: string): string {
  return `'${text.replaceAll("'", "'\\''")}'`;
}
