// Makes sure, before any test, that tests find the Python of the system before that of pyenv.

import { existsSync } from 'node:fs';
import { delimiter } from 'node:path';

/** Changes PATH so that the Python of the system comes first. vitest calls this before the first test. */
export function setup(): void {
  process.env['PATH'] = pyenvLast(process.env['PATH'] ?? '');
}

/**
 * Moves the folders of pyenv to the end of the path if the system has pytest. A shim of pyenv is a script that searches
 * for a version, and pytest there loads all plugins that the machine happens to have: a run takes six times the
 * processor time, and the plugins could change its results.
 */
function pyenvLast(path: string): string {
  if (!['python3', 'pytest'].every((name) => existsSync(`/usr/bin/${name}`))) return path;
  const isOfPyenv = (folder: string) => /[\\/]\.?pyenv[\\/]/.test(folder);
  const folders = path.split(delimiter);
  return [...folders.filter((folder) => !isOfPyenv(folder)), ...folders.filter(isOfPyenv)].join(delimiter);
}
