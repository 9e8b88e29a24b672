// Absolute paths of programs of the operating system, so that no program of a repository is started instead.

import { join } from 'node:path';

/** POSIX; the same place on Linux and macOS. */
export const PS = '/bin/ps';

/** Windows: `name` is a program of its system folder. */
export function windowsProgram(name: string): string {
  return join(process.env['SystemRoot'] ?? 'C:\\Windows', 'System32', name);
}
