// Checks whether a package manager works where the commands of a repository run. A program in PATH is not enough:
// corepack's placeholders fail without a network.

import { throwIfCancelled } from '../../util/typedError.ts';
import type { Sandbox, Worktree } from '../ports/sandbox.ts';
import type { PackageManager } from './detect/project.ts';

/** True if the package manager works in the work tree. */
export type Managers = (manager: PackageManager, worktree: Worktree, signal: AbortSignal) => Promise<boolean>;

/** Time limit in milliseconds for asking a package manager for its version. */
const PROBE_MS = 30_000;
/**
 * Prints the file that runs as npm, because starting npm itself takes longer than most commands. The shell ignores the
 * last argument; it only shows that this command asks for a version.
 */
const NPM_PATH_COMMAND = ['sh', '-c', 'readlink -f "$(command -v "$0")"', 'npm', '--version'];
/** Matches npm's own program. Corepack's placeholder and any other program is run with `--version` instead. */
const NPM_PATTERN = /\/npm\/bin\/npm-cli\.js$/;
/**
 * Sandboxes in which npm is known to work. The check takes longer than most commands, so its result is cached. The
 * version of the other managers depends on the manifest, which may be edited.
 */
const sandboxesWithNpm = new WeakSet<Sandbox>();

/** Creates a function that determines whether a package manager works. It checks each manager once. */
export function createManagers(sandbox: Sandbox): Managers {
  const managers = new Map<PackageManager, boolean>(sandboxesWithNpm.has(sandbox) ? [['npm', true]] : []);
  return async (manager, worktree, signal) => {
    const cachedAnswer = managers.get(manager);
    if (cachedAnswer !== undefined) return cachedAnswer;
    const isWorking =
      (manager === 'npm' && (await isNpmItself(worktree, signal))) ||
      (await worktree.run({ command: [manager, '--version'], timeoutMs: PROBE_MS }, signal)).exitCode === 0;
    throwIfCancelled(signal);
    managers.set(manager, isWorking);
    if (isWorking && manager === 'npm') sandboxesWithNpm.add(sandbox);
    return isWorking;
  };
}

/** True if `npm` is npm's own program, not a placeholder of corepack or another program. */
async function isNpmItself(worktree: Worktree, signal: AbortSignal): Promise<boolean> {
  const { exitCode, stdout } = await worktree.run({ command: NPM_PATH_COMMAND, timeoutMs: PROBE_MS }, signal);
  return exitCode === 0 && NPM_PATTERN.test(stdout.trim());
}
