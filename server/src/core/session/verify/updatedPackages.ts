// Finds the packages with which an update of a dependency is checked.

import { SelfwareError } from '../../../util/typedError.ts';
import { findUpdatedDependencies } from '../../model/updatedDependency.ts';
import type { FileEdit } from '../../model.ts';
import type { ChangedFiles } from '../../ports/sandbox.ts';
import type { SessionContext } from '../context.ts';
import { changedBytes } from '../setup/updating.ts';

/**
 * The changed files of an update of a dependency, by which its sandbox finds the shared packages; undefined for other
 * edits. Throws `unavailable` if the packages of one side are not installed, because then the checks would show nothing
 * about the update.
 */
export async function findPackageFiles(
  { ports }: SessionContext,
  edits: readonly FileEdit[],
  signal: AbortSignal,
): Promise<ChangedFiles | undefined> {
  if (findUpdatedDependencies(edits) === null) return undefined;
  const changedFiles = changedBytes(edits);
  for (const side of [changedBytes(edits, 'before'), changedFiles])
    if ((await ports.packages?.findFitting(side, signal)) == null)
      throw new SelfwareError('unavailable', 'The packages with which the update was checked are no longer stored.', {
        action: 'Ask for the update again: `selfware outdated --update NAME@VERSION --again`.',
      });
  return changedFiles;
}
