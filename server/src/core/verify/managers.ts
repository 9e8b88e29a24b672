// Decides whether a package manager works where the commands of a repository run. A program in the path is not enough:
// corepack's placeholders fail without a network.

import { throwIfCancelled } from '../../util/typedError.ts';
import type { Sandbox, Worktree } from '../ports/sandbox.ts';
import type { PackageManager } from './detect/project.ts';

/** True if the package manager works in the work tree. */
export type Managers = (manager: PackageManager, worktree: Worktree, signal: AbortSignal) => Promise<boolean>;

/** Time limit for asking a package manager for its version. */
const PROBE_MS = 30_000;
/**
 * Sandboxes in which npm is known to work. The check takes longer than most commands, so its result is kept. For the
 * other managers, the manifest decides which version runs, and it may be edited.
 */
const withNpm = new WeakSet<Sandbox>();

/** Creates a check whether a package manager works. It tries each manager once. */
export function createManagers(sandbox: Sandbox): Managers {
  const managers = new Map<PackageManager, boolean>(withNpm.has(sandbox) ? [['npm', true]] : []);
  return async (manager, worktree, signal) => {
    const cached = managers.get(manager);
    if (cached !== undefined) return cached;
    const { exitCode } = await worktree.run({ command: [manager, '--version'], timeoutMs: PROBE_MS }, signal);
    throwIfCancelled(signal);
    const isWorking = exitCode === 0;
    managers.set(manager, isWorking);
    if (isWorking && manager === 'npm') withNpm.add(sandbox);
    return isWorking;
  };
}
