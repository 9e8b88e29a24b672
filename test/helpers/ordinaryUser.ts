// Runs a part of a test without the rights of root, because root may open every file.

import { execFileSync } from 'node:child_process';

/** The id of the user "nobody" on most systems. */
const NOBODY = 65534;

/**
 * If the process runs as root, gives `dir` to another user, and does the work as that user. Otherwise, only does the
 * work.
 */
export async function asOrdinaryUser<T>(dir: string, work: () => Promise<T>): Promise<T> {
  if (process.geteuid?.() !== 0 || !process.seteuid) return work();
  execFileSync('chown', ['-R', String(NOBODY), dir]);
  const home = process.env['HOME'];
  // Otherwise, programs would look into the home folder of root, which this user may not read.
  process.env['HOME'] = dir;
  process.seteuid(NOBODY);
  try {
    return await work();
  } finally {
    process.seteuid(0);
    if (home !== undefined) process.env['HOME'] = home;
  }
}
