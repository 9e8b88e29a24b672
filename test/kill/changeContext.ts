// What a change and its way back need of the world, on real adapters. A process that dies on its way wraps each of
// them.

import { createDiskWriter, diskFiles, type RawFiles } from '../../server/src/adapters/files/diskWriter.ts';
import { createDocuments } from '../../server/src/adapters/files/documents.ts';
import { createJournal } from '../../server/src/adapters/files/journal.ts';
import { createLock } from '../../server/src/adapters/files/lock.ts';
import { createWorkingTree } from '../../server/src/adapters/files/workingTree.ts';
import { createGit } from '../../server/src/adapters/git/git.ts';
import { createIds, systemClock } from '../../server/src/adapters/system/system.ts';
import type { ApplyContext } from '../../server/src/core/apply/apply.ts';
import { createCharter } from '../../server/src/core/charter/charter.ts';

/** How a process may die: before any call of a port, and within a step of the disk writer. */
export interface Mortality {
  readonly mortal: <T extends object>(port: T) => T;
  readonly raw: RawFiles;
  readonly mayEnd: () => void;
}

const IMMORTAL: Mortality = { mortal: (port) => port, raw: diskFiles, mayEnd: () => undefined };

/** The context of a change in `rootDir`. */
export async function changeContext(
  rootDir: string,
  stateDir: string,
  { mortal, raw, mayEnd }: Mortality = IMMORTAL,
): Promise<ApplyContext> {
  const files = await createWorkingTree(rootDir);
  const lock = createLock(stateDir);
  return {
    clock: systemClock,
    ids: createIds(systemClock),
    files: mortal(files),
    writer: mortal(createDiskWriter(files.rootDir, raw)),
    journal: mortal(createJournal(stateDir)),
    git: mortal(await createGit(files.rootDir, stateDir)),
    documents: mortal(createDocuments(stateDir)),
    log: { write: () => undefined },
    lock: {
      async acquire(name) {
        mayEnd();
        const held = await lock.acquire(name);
        return held && mortal(held);
      },
    },
    charter: createCharter({ files, protectedPaths: [], approval: 'strict', maxChanges: 10 }),
  };
}
