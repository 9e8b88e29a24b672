// Opens, reuses and removes sandboxes: detached git work trees outside of the user's tree with the repository's current
// state, including uncommitted work.

import { mkdir, readdir, realpath, stat } from 'node:fs/promises';
import { join, relative } from 'node:path';
import { rejectWhenAborted, withWatchdog } from '../../util/watchdog.ts';
import { diskFullAction, isDiskFull, SelfwareError, throwIfCancelled } from '../../util/typedError.ts';
import { computeMaxCommands, createAdmission } from './admission.ts';
import { fillTree, fillEmptyTree, refillTree, type FilledTree, type FillParts } from './fillTree.ts';
import {
  createEnvironment,
  resolveSandboxFolders,
  prepareFolders,
  addVirtualEnvironment,
  type SandboxFolders,
} from './environment.ts';
import { chooseIsolation, chooseTaskLimit, type ChosenIsolation } from './isolation/choose.ts';
import { createEncloser } from './isolation/createEncloser.ts';
import { collectVisiblePaths } from './isolation/visiblePaths.ts';
import { computeMachineLimits, type CommandLimits, type TaskLimit } from './limits.ts';
import { writeOwner, readOwnerState } from './sandboxOwner.ts';
import { killMarkedProcesses } from './processes.ts';
import { startCounting } from './taskCounter.ts';
import { removeTree } from './removeTree.ts';
import type { PackageSharing } from './sharePackages.ts';
import { createEmptyContent, readRepositoryContent, type RepositoryContent } from './repositoryContent.ts';
import { createWorktree } from './worktree.ts';
import type { Clock, Ids, Log } from '../../core/ports/system.ts';
import type { ChangedFiles, Sandbox, Worktree } from '../../core/ports/sandbox.ts';

/**
 * Time limit in milliseconds for opening a sandbox. It is long enough to copy hundreds of thousands of files on a slow
 * disk.
 */
const OPENING_MS = 600_000;
/**
 * Age in milliseconds after which a folder without a readable owner counts as abandoned. A younger one may still be
 * being created.
 */
const ABANDONED_AFTER_MS = 600_000;
/** The changed files of a sandbox that is opened without any. */
const NOT_CHANGED: ChangedFiles = new Map();

/** The ports that sandboxes use, and their options. Only tests set `maxCommands`, `openingMs`, `taskLimit` and `chooseMechanism`. */
export interface SandboxParts {
  readonly clock: Clock;
  readonly ids: Ids;
  readonly log: Log;
  readonly limits?: CommandLimits;
  /** Selfware's own folders that commands can see, with programs that Selfware starts in a sandbox. */
  readonly shownFolders?: readonly string[];
  /**
   * Maximum number of released sandboxes that are kept for reuse, which is much faster than creating new ones. If
   * omitted, none are kept.
   */
  readonly maxIdle?: number;
  /**
   * The top of another copy of the repository, whose installed packages are shared. If omitted, the packages of the
   * root are shared.
   */
  readonly packagesOf?: string;
  /** Chooses the packages that are shared with a sandbox. If omitted, those that the user has installed. */
  readonly choosePackages?: (
    content: RepositoryContent,
    changed: ChangedFiles,
    signal: AbortSignal,
  ) => Promise<PackageSources>;
  /** True if the tree stays empty, and nothing of the repository, its history or its packages is shown. */
  readonly empty?: true;
  /**
   * Number of commands that run in parallel in all open sandboxes together. If omitted, as many as the machine can
   * support.
   */
  readonly maxCommands?: number;
  /** Time limit in milliseconds for opening a sandbox. If omitted, `OPENING_MS`. */
  readonly openingMs?: number;
  /** The mechanism that limits the number of processes. If omitted, the best one that the machine offers. */
  readonly taskLimit?: TaskLimit;
  /** Chooses the isolation of commands. If omitted, the first mechanism that works here. */
  readonly chooseMechanism?: () => Promise<ChosenIsolation>;
}

/** The sources of the shared packages. */
export type PackageSources = Omit<PackageSharing, 'usesOverlays' | 'excludedPaths'>;

/** Shares only the packages that the user has installed. */
export const ONLY_INSTALLED_PACKAGES: PackageSources = {
  storedTrees: [],
  sharesInstalled: true,
  programs: [],
  shownFolders: [],
};

/** A work tree with the folders of its sandbox, for callers that put files next to the tree. */
export interface SandboxWorktree extends Worktree {
  readonly folders: SandboxFolders;
}

/** A sandbox whose work trees come with their folders. */
export interface OwnSandbox extends Sandbox {
  open(signal: AbortSignal, changed?: ChangedFiles, absent?: readonly string[]): Promise<SandboxWorktree>;
}

/** The parameters of `Sandbox.open` that decide which packages a sandbox has. */
interface PackageRequest {
  /** The files that a proposal changes. */
  readonly changed: ChangedFiles;
  /** Paths of packages that are not shared. */
  readonly absent: readonly string[];
}

/** A filled sandbox on the disk, open or kept for reuse. */
interface Slot {
  readonly id: string;
  readonly folders: SandboxFolders;
  readonly filled: FilledTree;
}

/**
 * Creates the sandboxes of `rootDir` (the top of a work tree or a folder in it), which lie in `stateDir/sandboxes`. The
 * user's repository is only read: nothing is registered, written or locked there.
 */
export function createSandbox(rootDir: string, stateDir: string, deps: SandboxParts): OwnSandbox {
  const {
    clock,
    ids,
    log,
    limits = computeMachineLimits(),
    shownFolders: shown = [],
    maxIdle = 0,
    maxCommands = computeMaxCommands(limits),
  } = deps;
  const chooseMechanism = deps.chooseMechanism ?? (() => chooseIsolation({ stateDir, repository: rootDir }));
  const sandboxesFolder = join(stateDir, 'sandboxes');
  const idleSlots: Slot[] = [];
  const admission = createAdmission(maxCommands);
  let isClosed = false;
  return {
    isolation: async () => (await chooseMechanism()).isolation,
    async open(signal, changed = NOT_CHANGED, absent = []) {
      throwIfCancelled(signal);
      const opening = new AbortController();
      const anySignal = AbortSignal.any([signal, opening.signal]);
      try {
        return await withWatchdog(
          openFilled({ changed, absent }, anySignal),
          'Opening a sandbox',
          deps.openingMs ?? OPENING_MS,
        );
      } finally {
        // After the time limit, the running work ends at its next step and removes its folder.
        opening.abort();
      }
    },
    async close() {
      isClosed = true;
      await Promise.all(idleSlots.splice(0).map((slot) => removeSandbox(slot.folders.folder, slot.id)));
    },
    async removeAbandoned() {
      let removedCount = 0;
      for (const id of await listNames(sandboxesFolder)) {
        if (!(await isAbandoned(join(sandboxesFolder, id), clock.now()))) continue;
        try {
          await removeSandbox(join(sandboxesFolder, id), id);
          removedCount += 1;
        } catch (error) {
          log.write('warn', `The abandoned sandbox ${id} could not be removed.`, error);
        }
      }
      return removedCount;
    },
  };

  async function openFilled(request: PackageRequest, signal: AbortSignal): Promise<SandboxWorktree> {
    const content = deps.empty ? await createEmptyContent(rootDir) : await readRepositoryContent(rootDir, log, signal);
    const slot = (await reuseSandbox(content, request, signal)) ?? (await createSlot(content, request, signal));
    try {
      return await rejectWhenAborted(createEnclosedWorktree(slot, content), signal);
    } catch (error) {
      await removeSandbox(slot.folders.folder, slot.id);
      throw error;
    }
  }

  /** Prepares the isolation of the sandbox's commands. */
  async function createEnclosedWorktree(slot: Slot, content: RepositoryContent): Promise<SandboxWorktree> {
    const { id, folders, filled } = slot;
    const dir = join(folders.tree, content.prefix).replace(/[\\/]$/, '');
    const top = deps.packagesOf ?? content.top;
    const isContent = (folder: string) => {
      const path = relative(top, folder).replaceAll('\\', '/');
      return [...content.files, ...content.submodules].some((file) => file === path || file.startsWith(`${path}/`));
    };
    const outer = addVirtualEnvironment(process.env, [join(top, content.prefix), top], isContent);
    const env = createEnvironment(folders, dir, outer, filled.sharing.programs);
    const { mechanism } = await chooseMechanism();
    const taskLimit = deps.taskLimit ?? chooseTaskLimit(mechanism);
    if (taskLimit === 'counted') void startCounting();
    const { overlays } = filled.sharedPackages;
    const readablePaths = [
      ...filled.sharedPackages.folders,
      ...(content.objects === null ? [] : [content.objects]),
      ...shown,
    ];
    const visiblePaths = await collectVisiblePaths({
      folders,
      env,
      repository: content.top,
      stateDir,
      sharedFolders: readablePaths,
    });
    const encloser = await createEncloser(mechanism, visiblePaths, folders, limits, overlays);
    const worktree = createWorktree({
      dir,
      id,
      clock,
      env: { ...env, ...encloser.env },
      limits,
      taskLimit,
      encloser,
      readable: [folders.tree, ...filled.sharedPackages.folders],
      overlays,
      admission,
      release: () => release(slot),
    });
    return { ...worktree, folders };
  }

  async function createSlot(content: RepositoryContent, request: PackageRequest, signal: AbortSignal): Promise<Slot> {
    const id = ids.next('sandbox');
    await mkdir(join(sandboxesFolder, id), { recursive: true });
    const folders = resolveSandboxFolders(await realpath(join(sandboxesFolder, id)));
    try {
      await writeOwner(folders.folder);
      await mkdir(folders.tree);
      await prepareFolders(folders);
      const parts = await prepareFillParts(folders.tree, content, request, signal);
      const filled = deps.empty ? await fillEmptyTree(content, parts) : await fillTree(content, parts, signal);
      throwIfCancelled(signal);
      return { id, folders, filled };
    } catch (error) {
      await removeSandbox(folders.folder, id);
      if (isDiskFull(error))
        throw new SelfwareError('diskFull', 'The disk is full: there is no room for a sandbox.', {
          action: diskFullAction(stateDir),
          cause: error,
        });
      throw error;
    }
  }

  async function prepareFillParts(
    tree: string,
    content: RepositoryContent,
    { changed, absent: excludedPaths }: PackageRequest,
    signal: AbortSignal,
  ): Promise<FillParts> {
    const choices = Promise.all([
      chooseMechanism(),
      deps.choosePackages?.(content, changed, signal) ?? ONLY_INSTALLED_PACKAGES,
    ]);
    const [{ supportsOverlays: usesOverlays }, choosePackages] = await rejectWhenAborted(choices, signal);
    const { packagesOf } = deps;
    const sharing = {
      usesOverlays,
      excludedPaths,
      ...choosePackages,
      ...(packagesOf === undefined ? {} : { packagesOf }),
    };
    return { tree, excludedDir: await realpath(stateDir), sharing, log };
  }

  /**
   * Refills a sandbox that was kept for reuse. Null if there is none, or if it could not be refilled and was removed.
   * Throws `cancelled`.
   */
  async function reuseSandbox(
    content: RepositoryContent,
    request: PackageRequest,
    signal: AbortSignal,
  ): Promise<Slot | null> {
    const slot = idleSlots.pop();
    if (!slot) return null;
    const { id, folders, filled } = slot;
    try {
      for (const folder of [folders.home, folders.temporary, folders.scratch, folders.programs])
        await removeTree(folder);
      await prepareFolders(folders);
      const refilled = await refillTree(
        filled,
        content,
        await prepareFillParts(folders.tree, content, request, signal),
        signal,
      );
      throwIfCancelled(signal);
      return { id, folders, filled: refilled };
    } catch (error) {
      await removeSandbox(folders.folder, id);
      throwIfCancelled(signal);
      log.write('warn', `The sandbox ${id} could not be used again; a new one is made.`, error);
      return null;
    }
  }

  async function release(slot: Slot): Promise<void> {
    await killMarkedProcesses(slot.id);
    if (isClosed || idleSlots.length >= maxIdle) await removeSandbox(slot.folders.folder, slot.id);
    else idleSlots.push(slot);
  }
}

/**
 * Removes the sandbox `id` in `folder`. Ends its processes first, because they would continue to write into the folder
 * while it is removed.
 */
async function removeSandbox(folder: string, id: string): Promise<void> {
  await killMarkedProcesses(id);
  await removeTree(folder);
}

async function isAbandoned(folder: string, now: number): Promise<boolean> {
  const owner = await readOwnerState(folder);
  if (owner !== 'unknown') return owner === 'gone';
  try {
    return now - (await stat(folder)).mtimeMs > ABANDONED_AFTER_MS;
  } catch (error) {
    // Another process has removed the folder in the meantime.
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return false;
    throw error;
  }
}

async function listNames(folder: string): Promise<string[]> {
  try {
    return await readdir(folder);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return [];
    throw error;
  }
}
