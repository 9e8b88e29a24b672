// Mounts a file system of a few megabytes that a test can fill, if this machine allows it.

import { execFile } from 'node:child_process';
import { mkdtemp, rm, statfs, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';

const run = promisify(execFile);

/** The file system. `dispose` unmounts it. */
export interface SmallDisk {
  readonly dir: string;
  /** Fills the file system until only this many KiB are free. */
  fill(leftKib: number): Promise<void>;
  /** Frees the filled space. */
  empty(): Promise<void>;
  dispose(): Promise<void>;
}

/** Mounts a file system of this size. Null if this process is not allowed to mount. */
export async function createSmallDisk(mebibytes: number): Promise<SmallDisk | null> {
  const dir = await mkdtemp(join(tmpdir(), 'selfware-small-'));
  const mounting = run('mount', ['-t', 'tmpfs', '-o', `size=${mebibytes}m`, 'tmpfs', dir]);
  const mounted = await mounting.then(
    () => true,
    () => false,
  );
  if (!mounted) {
    await rm(dir, { recursive: true });
    return null;
  }
  const ballast = join(dir, 'ballast');
  return {
    dir,
    async fill(leftKib) {
      await rm(ballast, { force: true });
      const { bavail, bsize } = await statfs(dir);
      await writeFile(ballast, Buffer.alloc(Math.max(0, bavail * bsize - leftKib * 1024)));
    },
    empty: () => rm(ballast, { force: true }),
    async dispose() {
      await run('umount', ['--lazy', dir]);
      await rm(dir, { recursive: true, force: true });
    },
  };
}
