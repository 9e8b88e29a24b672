// Offers this version of Selfware to an unattended run in the background that works with another version.

import { writeOffer } from '../../../adapters/run/versionOffers.ts';
import { findRunningSupervisors } from '../../../adapters/system/runningProcesses.ts';
import { findRefusedVersions } from '../../../core/run/nightQueries.ts';
import type { ProgramVersion } from '../../../core/run/takeOver.ts';
import { isNewer } from '../../../core/run/versions.ts';
import { SelfwareError } from '../../../util/typedError.ts';
import { readProgramVersion } from '../../programPaths.ts';
import type { NightRequest } from '../night.ts';
import { resolveNightFolders } from '../nightFolders.ts';
import { readNights } from '../readNights.ts';
import { ensureCopy } from './versionStore.ts';

type Environment = NightRequest['env'];

/**
 * Offers this version to the run in the background. `isForced`: true to offer it even if it was refused before. Throws
 * `notFound` if there is no such run, `usage` if the state folder is in a repository, and `unavailable` if the run
 * would not take it.
 */
export async function offerVersion(rootDir: string, env: Environment, isForced: boolean): Promise<ProgramVersion> {
  const [supervisor] = await findRunningSupervisors(rootDir, env);
  if (!supervisor)
    throw new SelfwareError('notFound', 'No unattended run works in the background of this repository.', {
      action: 'The next `selfware night` uses this version.',
    });
  if (supervisor.version === undefined)
    throw new SelfwareError(
      'unavailable',
      'The run works without a copy of Selfware of its own, so it takes no offers.',
      {
        action: 'End it with `selfware night stop`. The next `selfware night` uses this version.',
      },
    );
  const version = await ensureCopy(rootDir, env);
  throwIfCurrent(version, supervisor);
  const nights = await readNights(rootDir, env, { write: () => undefined });
  if (!isForced) throwIfRefusedBefore(version, findRefusedVersions(nights));
  await writeOffer(resolveNightFolders(rootDir, env).folder, version, isForced);
  return version;
}

/** Throws `unavailable` if the worker of this supervisor already runs the version. */
export function throwIfCurrent({ version, hash }: ProgramVersion, runningVersion: { readonly hash?: string }): void {
  if (hash !== runningVersion.hash) return;
  throw new SelfwareError('unavailable', `The run works with version ${version} (${hash}) already.`, {
    action: 'Install or build another version first, and offer that one.',
  });
}

/** Throws `unavailable` if the version is among these hashes of refused versions. */
export function throwIfRefusedBefore({ version, hash }: ProgramVersion, refusedHashes: readonly string[]): void {
  if (!refusedHashes.includes(hash)) return;
  throw new SelfwareError('unavailable', `A run has refused version ${version} (${hash}) before, or rolled it back.`, {
    action: 'See why: `selfware report`. Offer it once more: `selfware night upgrade --again`.',
  });
}

/**
 * Offers this version if it is newer than `version`, with which the run works, and returns it; otherwise null. Also
 * null if the run has no `version`, because a run without its own copy of Selfware accepts no offers. Throws the errors
 * of `offerVersion`.
 */
export async function offerIfNewer(
  rootDir: string,
  env: Environment,
  { version }: { readonly version?: string },
): Promise<ProgramVersion | null> {
  return version !== undefined && isNewer(readProgramVersion(), version) ? offerVersion(rootDir, env, false) : null;
}
