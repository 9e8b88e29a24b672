// Defines the common interface of all isolation mechanisms.

import { existsSync } from 'node:fs';
import { join } from 'node:path';
import type { CommandLimits } from '../limits.ts';
import type { Enclosure } from './enclosure.ts';
import type { IsolationKind } from '../../../core/ports/sandbox.ts';

/** A program with its arguments; the program may be a name that is looked up in the path of its environment. */
export type CommandLine = readonly [program: string, ...args: string[]];

/** A way to isolate commands. */
export interface Mechanism {
  readonly kind: IsolationKind;
  /** True if the mechanism can show a folder at another path. */
  readonly canMount: boolean;
  /** True if the mechanism can mount an overlay on a folder of the tree. */
  readonly canOverlay: boolean;
  /** True if the mechanism passes Selfware's filter of system calls on to the kernel. */
  readonly filtersCalls: boolean;
  /** What the machine lacks for the mechanism, as part of a sentence; null if the mechanism can be tried. */
  explainMissing(): string | null;
  /**
   * The command line that runs `command` in `cwd` within `limits`, and lets it see only what `enclosure` shows. Its
   * program is an absolute path if that program is installed.
   */
  enclose(command: CommandLine, cwd: string, enclosure: Enclosure, limits: CommandLimits): CommandLine;
}

/**
 * Folders in which programs of the system are searched. The PATH of commands is never used: it begins with the
 * repository's own programs, and these programs run before the isolation is complete.
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

/** The path in which a script of a mechanism finds its programs. */
export const SYSTEM_PATH = SYSTEM_FOLDERS.join(':');

/** The absolute path of a program of the system; null if none of the folders contains it. */
export function findSystemProgram(name: string): string | null {
  return SYSTEM_FOLDERS.map((folder) => join(folder, name)).find((path) => existsSync(path)) ?? null;
}

/** Names those of the programs that are not installed, as part of a sentence; null if all of them are. */
export function explainMissingPrograms(names: readonly string[]): string | null {
  const missingNames = names.filter((name) => findSystemProgram(name) === null);
  return missingNames.length === 0
    ? null
    : `${missingNames.join(', ')} ${missingNames.length === 1 ? 'is' : 'are'} not installed`;
}

/** Quotes a text for a POSIX shell. */
export function quoteForShell(text: string): string {
  return `'${text.replaceAll("'", "'\\''")}'`;
}
