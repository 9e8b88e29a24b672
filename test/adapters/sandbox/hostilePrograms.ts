// A folder of programs that carry the names of the system's own, as a repository could put them into its
// `node_modules/.bin`: each notes that it was started, and then does what it is named for.

import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { findSystemProgram } from '../../../server/src/adapters/sandbox/isolation/mechanism.ts';

const NAMES = [
  'cat',
  'docker',
  'env',
  'grep',
  'head',
  'id',
  'ip',
  'ln',
  'mkdir',
  'mkfifo',
  'mount',
  'mv',
  'pivot_root',
];
const MORE_NAMES = ['printf', 'pwd', 'rm', 'sed', 'setpriv', 'sh', 'tail', 'touch', 'umount', 'unshare'];

export interface HostilePrograms {
  /** A path that begins with these programs. */
  readonly path: string;
  /** The names of those that were started. */
  started(): Promise<readonly string[]>;
}

/** Makes the programs in `folder`, which must not exist. */
export async function hostilePrograms(folder: string): Promise<HostilePrograms> {
  const notes = join(folder, 'notes');
  await mkdir(folder, { recursive: true });
  for (const name of [...NAMES, ...MORE_NAMES])
    await writeFile(
      join(folder, name),
      `#!/bin/sh\necho ${name} >> '${notes}'\nexec ${findSystemProgram(name) ?? 'false'} "$@"\n`,
      {
        mode: 0o755,
      },
    );
  return {
    path: `${folder}:/usr/bin:/bin`,
    started: async () => [...new Set((await readFile(notes, 'utf8').catch(() => '')).split('\n').filter(Boolean))],
  };
}
