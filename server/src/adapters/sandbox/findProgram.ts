// Checks whether a program exists before it is started: behind a wrapper, a missing program would look like a failing
// one.

import { access, constants, stat } from 'node:fs/promises';
import { delimiter, resolve } from 'node:path';

/**
 * What is missing, as a sentence, or null. Names are looked up in `path`, as execvp(3) does. On Windows the system is
 * asked. `elsewhere` = where a path is found as well, seen from here.
 */
export async function findProgram(
  program: string,
  cwd: string,
  path: string,
  elsewhere: (path: string) => string | null = () => null,
): Promise<string | null> {
  if (process.platform === 'win32') return null;
  if (!(await stat(cwd).catch(() => null))?.isDirectory()) return `There is no folder ${cwd}.`;
  const places = program.includes('/')
    ? [resolve(cwd, program)]
    : path.split(delimiter).map((folder) => resolve(cwd, folder, program));
  for (const place of places) {
    const other = elsewhere(place);
    if ((await isProgram(place)) || (other !== null && (await isProgram(other)))) return null;
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
