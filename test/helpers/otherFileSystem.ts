// Creates a folder on another file system than the temporary folders of tests, for tests of moves between file systems.

import { mkdtemp, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createSmallDisk } from './smallDisk.ts';

/** The folder. `dispose` removes it. */
export interface OtherFolder {
  readonly dir: string;
  dispose(): Promise<void>;
}

/** Creates the folder in shared memory, otherwise on a new mount. Null if neither is possible on this machine. */
export async function createOnOtherFileSystem(): Promise<OtherFolder | null> {
  const [shared, temporary] = await Promise.all(['/dev/shm', tmpdir()].map((dir) => stat(dir).catch(() => null)));
  if (!shared || shared.dev === temporary?.dev) return createSmallDisk(256);
  const dir = await mkdtemp(join('/dev/shm', 'selfware-other-')).catch(() => null);
  return dir === null ? createSmallDisk(256) : { dir, dispose: () => rm(dir, { recursive: true, force: true }) };
}
