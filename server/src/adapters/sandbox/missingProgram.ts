// Checks whether a program exists before it is started, because behind a wrapper, a missing program would look like a
// failing one.

import { access, constants, stat } from 'node:fs/promises';
import { delimiter, resolve } from 'node:path';

/**
 * Reports a missing program or working folder as a sentence; null if neither is missing, and always on Windows. A name
 * without a slash is looked up in `path`, as in execvp(3). `resolveElsewhere`: the real path of a file that commands in the
 * sandbox see at another path; null for all other files.
 */
export async function explainMissingProgram(
  program: string,
  cwd: string,
  path: string,
  resolveElsewhere: (path: string) => string | null = () => null,
): Promise<string | null> {
  if (process.platform === 'win32') return null;
  if (!(await stat(cwd).catch(() => null))?.isDirectory()) return `There is no folder ${cwd}.`;
  const places = program.includes('/')
    ? [resolve(cwd, program)]
    : path.split(delimiter).map((folder) => resolve(cwd, folder, program));
  for (const place of places) {
    const realPlace = resolveElsewhere(place);
    if ((await isProgram(place)) || (realPlace !== null && (await isProgram(realPlace)))) return null;
  }
  return `There is no program ${program}.`;
}

async function isProgram(file: string): Promise<boolean> {
  if (!(await stat(file).catch(() => null))?.isFile()) return false;
  return access(file, constants.X_OK).then(
    () => true,
    () => false,
  );
}
