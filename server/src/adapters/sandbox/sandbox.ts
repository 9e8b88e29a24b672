// Sandboxes: detached git work trees outside the user's, which hold the repository as it is now, uncommitted work
// included.

import { mkdir, readdir, realpath, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { untilAborted, withWatchdog } from '../../util/watchdog.ts';
import { freeSpace, isNoRoom, SelfwareError, throwIfCancelled } from '../../util/typedError.ts';
import { commandsAtOnce, createAdmission } from './admission.ts';
import { fill, refill, type Filled, type FillParts } from './content.ts';
import { environmentFor, foldersIn, prepareFolders, type SandboxFolders } from './environment.ts';
import { chooseIsolation, taskLimitOf, type Choice } from './isolation/choose.ts';
import { createEncloser } from './isolation/createEncloser.ts';
import { placesOf } from './isolation/places.ts';
import { limitsOfMachine, type Limits, type TaskLimit } from './limits.ts';
import { claim, ownerState } from './owner.ts';
import { endMarked } from './processes.ts';
import { startCounting } from './taskCounter.ts';
import { removeTree } from './removeTree.ts';
import type { Lending } from './lendModules.ts';
import { readRepositoryContent, type RepositoryContent } from './repositoryContent.ts';
import { createWorktree } from './worktree.ts';
import type { Clock, Ids, Log } from '../../core/ports/system.ts';
import type { ChangedFiles, Sandbox, Worktree } from '../../core/ports/sandbox.ts';

/** A copy of hundreds of thousands of files on a slow disk is done by then. */
const OPENING_MS = 600_000;
/** A folder without a readable owner is being made, or was left in the middle of that. */
const ABANDONED_AFTER_MS = 600_000;
const NOT_CHANGED: ChangedFiles = new Map();

export interface SandboxParts {
  readonly clock: Clock;
  readonly ids: Ids;
  readonly log: Log;
  readonly limits?: Limits;
  /** Folders of our own that commands see: what we start in a sandbox ourselves. */
  readonly shown?: readonly string[];
  /** How many sandboxes stay for the next who opens one, who then gets it in a fraction of the time. Left out: none. */
  readonly keep?: number;
  /** The top of another copy of the repository, whose installed packages are lent. Left out: those of the root. */
  readonly packagesOf?: string;
  /** What packages a sandbox is lent; left out: those that the user has installed. */
  readonly lends?: (content: RepositoryContent, changed: ChangedFiles, signal: AbortSignal) => Promise<Lends>;
  /** How many commands run side by side, of all open sandboxes together. Left out: what the machine bears. */
  readonly atOnce?: number;
  /** After so long the opening of a sandbox is given up. Left out: ten minutes. */
  readonly openingMs?: number;
  /** Left out: what the machine offers. */
  readonly taskLimit?: TaskLimit;
  /** Left out: the first mechanism that works here. */
  readonly choose?: () => Promise<Choice>;
}

/** Where packages come from. */
export type Lends = Omit<Lending, 'overlays'>;

/** The packages that the user has installed, and no others. */
export const AS_INSTALLED: Lends = { kept: [], installed: true, programs: [], shown: [] };

/** With the sandbox's own folders, for whoever puts something beside the tree. */
export interface SandboxWorktree extends Worktree {
  readonly folders: SandboxFolders;
}

export interface OwnSandbox extends Sandbox {
  open(signal: AbortSignal, changed?: ChangedFiles): Promise<SandboxWorktree>;
}

/** A sandbox that nobody has open. */
interface Slot {
  readonly id: string;
  readonly folders: SandboxFolders;
  readonly filled: Filled;
}

/**
 * Sandboxes of `rootDir` (a work tree's top or a folder in it) in `stateDir/sandboxes`. The user's repository is only
 * read:
 * nothing is registered, written or locked there.
 */
export function createSandbox(rootDir: string, stateDir: string, deps: SandboxParts): OwnSandbox {
  const { clock, ids, log, limits = limitsOfMachine(), shown = [], keep = 0, atOnce = commandsAtOnce(limits) } = deps;
  const choose = deps.choose ?? (() => chooseIsolation({ stateDir, repository: rootDir }));
  const all = join(stateDir, 'sandboxes');
  const idle: Slot[] = [];
  const admission = createAdmission(atOnce);
  let closed = false;
  return {
    isolation: async () => (await choose()).isolation,
    async open(signal, changed = NOT_CHANGED) {
      throwIfCancelled(signal);
      const given = new AbortController();
      const either = AbortSignal.any([signal, given.signal]);
      try {
        return await withWatchdog(opened(changed, either), 'Opening a sandbox', deps.openingMs ?? OPENING_MS);
      } finally {
        // What goes on all the same ends at its next step, and takes its folder along.
        given.abort();
      }
    },
    async close() {
      closed = true;
      await Promise.all(idle.splice(0).map((slot) => remove(slot.folders.folder, slot.id)));
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

  async function opened(changed: ChangedFiles, signal: AbortSignal): Promise<SandboxWorktree> {
    const content = await readRepositoryContent(rootDir, log, signal);
    const slot = (await reused(content, changed, signal)) ?? (await made(content, changed, signal));
    try {
      return await untilAborted(enclosed(slot, content), signal);
    } catch (error) {
      await remove(slot.folders.folder, slot.id);
      throw error;
    }
  }

  async function enclosed(slot: Slot, content: RepositoryContent): Promise<SandboxWorktree> {
    const { id, folders, filled } = slot;
    const dir = join(folders.tree, content.prefix).replace(/[\\/]$/, '');
    const env = environmentFor(folders, dir, process.env, filled.lending.programs);
    const { mechanism } = await choose();
    const taskLimit = deps.taskLimit ?? taskLimitOf(mechanism);
    if (taskLimit === 'counted') void startCounting();
    const { overlays } = filled.lent;
    const lent = [...filled.lent.folders, ...(content.objects === null ? [] : [content.objects]), ...shown];
    const places = await placesOf({ folders, env, repository: content.top, stateDir, lent });
    const encloser = await createEncloser(mechanism, places, folders, limits, overlays);
    const worktree = createWorktree({
      dir,
      id,
      clock,
      env: { ...env, ...encloser.env },
      limits,
      taskLimit,
      encloser,
      readable: [folders.tree, ...filled.lent.folders],
      overlays,
      admission,
      release: () => release(slot),
    });
    return { ...worktree, folders };
  }

  async function made(content: RepositoryContent, changed: ChangedFiles, signal: AbortSignal): Promise<Slot> {
    const id = ids.next('sandbox');
    await mkdir(join(all, id), { recursive: true });
    const folders = foldersIn(await realpath(join(all, id)));
    try {
      await claim(folders.folder);
      await mkdir(folders.tree);
      await prepareFolders(folders);
      const filled = await fill(content, await partsOf(folders.tree, content, changed, signal), signal);
      throwIfCancelled(signal);
      return { id, folders, filled };
    } catch (error) {
      await remove(folders.folder, id);
      if (isNoRoom(error))
        throw new SelfwareError('diskFull', 'The disk is full: there is no room for a sandbox.', {
          action: freeSpace(stateDir),
          cause: error,
        });
      throw error;
    }
  }

  async function partsOf(
    tree: string,
    content: RepositoryContent,
    changed: ChangedFiles,
    signal: AbortSignal,
  ): Promise<FillParts> {
    const asked = Promise.all([choose(), deps.lends?.(content, changed, signal) ?? AS_INSTALLED]);
    const [{ overlays }, lends] = await untilAborted(asked, signal);
    const { packagesOf } = deps;
    const lending = { overlays, ...lends, ...(packagesOf === undefined ? {} : { packagesOf }) };
    return { tree, except: await realpath(stateDir), lending, log };
  }

  /** One that was open before, brought back. Null where there is none, or it cannot be brought back. */
  async function reused(content: RepositoryContent, changed: ChangedFiles, signal: AbortSignal): Promise<Slot | null> {
    const slot = idle.pop();
    if (!slot) return null;
    const { id, folders, filled } = slot;
    try {
      for (const folder of [folders.home, folders.temporary, folders.scratch, folders.programs])
        await removeTree(folder);
      await prepareFolders(folders);
      const again = await refill(filled, content, await partsOf(folders.tree, content, changed, signal), signal);
      throwIfCancelled(signal);
      return { id, folders, filled: again };
    } catch (error) {
      await remove(folders.folder, id);
      throwIfCancelled(signal);
      log.write('warn', `The sandbox ${id} could not be used again; a new one is made.`, error);
      return null;
    }
  }

  async function release(slot: Slot): Promise<void> {
    await endMarked(slot.id);
    if (closed || idle.length >= keep) await remove(slot.folders.folder, slot.id);
    else idle.push(slot);
  }
}

/** Processes first: they would go on writing into what is being removed. */
async function remove(folder: string, id: string): Promise<void> {
  await endMarked(id);
  await removeTree(folder);
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
