// Names programs of the operating system by their absolute paths, so that no program of a repository is started
// instead.

import { join } from 'node:path';

/** The path of ps(1), which is the same on Linux and macOS. */
export const PS_PATH = '/bin/ps';

/** The path of pmset(1) on macOS, which reports the source of power. */
export const PMSET_PATH = '/usr/bin/pmset';

/** The path of a program in the system folder of Windows. */
export function resolveWindowsProgram(name: string): string {
  return join(process.env['SystemRoot'] ?? 'C:\\Windows', 'System32', name);
}
