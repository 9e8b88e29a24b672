// Sandboxes: detached git work trees outside the user's, holding the repository as it stands now, uncommitted work included.

import { chmod, mkdir, readdir, realpath, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import type { Clock, Ids, Log, Sandbox } from '../../core/ports.ts';
import { SelfwareError, throwIfCancelled } from '../../util/typedError.ts';
import { copyTree } from './copyTree.ts';
import { environmentFor, prepareFolders, type SandboxFolders } from './environment.ts';
import { lendModules } from './lendModules.ts';
import { claim, ownerState } from './owner.ts';
import { createPrivateRepository } from './privateRepository.ts';
import { endMarked } from './processes.ts';
import { readRepositoryContent } from './repositoryContent.ts';
import { createWorktree } from './worktree.ts';

/** A folder without a readable owner is being made, or was left in the middle of that. */
const ABANDONED_AFTER_MS = 600_000;

/**
 * Sandboxes of `rootDir` (a work tree's top or a folder in it) in `stateDir/sandboxes`. The user's repository is only read:
 * nothing is registered, written or locked there.
 */
export function createSandbox(rootDir: string, stateDir: string, deps: { readonly clock: Clock; readonly ids: Ids; readonly log: Log }): Sandbox {
  const { clock, ids, log } = deps;
  const all = join(stateDir, 'sandboxes');
  return {
    async open(signal) {
      throwIfCancelled(signal);
      const content = await readRepositoryContent(rootDir, log, signal);
      const id = ids.next('sandbox');
      await mkdir(join(all, id), { recursive: true });
      const folders = foldersIn(await realpath(join(all, id)));
      try {
        await claim(folders.folder);
        await mkdir(folders.tree);
        await prepareFolders(folders);
        await createPrivateRepository(folders.tree, content, signal);
        await copyTree(content, folders.tree, await realpath(stateDir), log, signal);
        await lendModules(content, folders.tree);
        const dir = join(folders.tree, content.prefix).replace(/[\\/]$/, '');
        await mkdir(dir, { recursive: true });
        throwIfCancelled(signal);
        return createWorktree({ dir, id, clock, env: environmentFor(folders, dir, process.env), remove: () => remove(folders.folder, id) });
      } catch (error) {
        await remove(folders.folder, id);
        if ((error as NodeJS.ErrnoException).code === 'ENOSPC') throw new SelfwareError('diskFull', 'There is no room on the disk for a sandbox.', { action: `Free some space on the disk that holds ${stateDir}.`, cause: error });
        throw error;
      }
    },
    async sweep() {
      let removed = 0;
      for (const id of await namesIn(all)) {
        if (!(await isAbandoned(join(all, id), clock.now()))) continue;
        try {
          await remove(join(all, id), id);
          removed += 1;
        } catch (error) {
          log.write('warn', `The abandoned sandbox ${id} could not be removed.`, error);
        }
      }
      return removed;
    },
  };
}

function foldersIn(folder: string): SandboxFolders {
  return { folder, tree: join(folder, 'tree'), home: join(folder, 'home'), temporary: join(folder, 'tmp'), programs: join(folder, 'bin') };
}

/** Processes first: they would go on writing into what is being removed. */
async function remove(folder: string, id: string): Promise<void> {
  await endMarked(id);
  try {
    await rm(folder, { recursive: true, force: true, maxRetries: 10, retryDelay: 50 });
  } catch (error) {
    if (!['EACCES', 'EPERM'].includes((error as NodeJS.ErrnoException).code ?? '')) throw error;
    await openUp(folder);
    await rm(folder, { recursive: true, force: true, maxRetries: 10, retryDelay: 50 });
  }
}

/** Tests leave folders behind that nobody may write to. Links are not followed. */
async function openUp(folder: string): Promise<void> {
  await chmod(folder, 0o700);
  for (const entry of await readdir(folder, { withFileTypes: true })) if (entry.isDirectory()) await openUp(join(folder, entry.name));
}

async function isAbandoned(folder: string, now: number): Promise<boolean> {
  const owner = await ownerState(folder);
  if (owner !== 'unknown') return owner === 'gone';
  try {
    return now - (await stat(folder)).mtimeMs > ABANDONED_AFTER_MS;
  } catch (error) {
    // Another process has swept it meanwhile.
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return false;
    throw error;
  }
}

async function namesIn(folder: string): Promise<string[]> {
  try {
    return await readdir(folder);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return [];
    throw error;
  }
}
