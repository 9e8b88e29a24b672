// Offers this version of Selfware to a run that another version works on.

import { existsSync, readdirSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { isInRepository, stateFolderFor } from '../../../adapters/files/stateFolder.ts';
import { keepVersion, readVersion } from '../../../adapters/run/keptVersion.ts';
import { offerIn, writeOffer } from '../../../adapters/run/offers.ts';
import { runningSupervisors } from '../../../adapters/system/runningProcesses.ts';
import { refusedVersions } from '../../../core/run/nights.ts';
import { isNewer, type KeptVersion } from '../../../core/run/takeOver.ts';
import { SelfwareError } from '../../../util/typedError.ts';
import { packageRoot, programVersion } from '../../places.ts';
import type { NightRequest } from '../night.ts';
import { nightPlaces } from '../places.ts';
import { readNights } from '../readNights.ts';

type Environment = NightRequest['env'];

/**
 * Returns the copy of this version that runs of this repository use; makes it first if necessary. Throws `usage`,
 * `unavailable`; rejects with the error of the file system.
 */
export async function ensureCopy(rootDir: string, env: Environment): Promise<KeptVersion> {
  const store = versionsFolder(rootDir, env);
  if (store === null)
    throw new SelfwareError('usage', 'The state folder lies in a repository, which could bring versions of its own.', {
      action: 'Set SELFWARE_HOME to a folder outside of repositories.',
    });
  return keepVersion(packageRoot(), store, offeredHashes(dirname(store)));
}

/**
 * The folder of the versions for runs. Their code runs outside the sandbox, so it must not come from a repository: null
 * if the folder would be inside one.
 */
export function versionsFolder(rootDir: string, env: Environment): string | null {
  const store = join(dirname(stateFolderFor(rootDir, env)), 'versions');
  return isInRepository(store, [rootDir]) ? null : store;
}

/** Hashes of the versions that are offered to runs of any repository. `home`: the folder of all state folders. */
function offeredHashes(home: string): readonly string[] {
  const folders = existsSync(home) ? readdirSync(home) : [];
  return folders.flatMap((name) => offerIn(join(home, name, 'night'))?.offer.hash ?? []);
}

/** The copy that this process runs from; null if it runs from an installation or a clone. */
export async function runningCopy(): Promise<KeptVersion | null> {
  return readVersion(packageRoot());
}

/**
 * Offers this version to the run in the background. `isForced`: true to offer it even if it was refused before. Throws
 * `notFound`, `usage`, and `unavailable` if the run would not take it.
 */
export async function offerVersion(rootDir: string, env: Environment, isForced: boolean): Promise<KeptVersion> {
  const [supervisor] = await runningSupervisors(rootDir, env);
  if (!supervisor)
    throw new SelfwareError('notFound', 'No unattended run works in the background of this repository.', {
      action: 'The next `selfware night` uses this version.',
    });
  if (supervisor.version === undefined)
    throw new SelfwareError(
      'unavailable',
      'The run works without a copy of Selfware of its own, so it takes no offers.',
      {
        action: 'End it with `selfware stop`. The next `selfware night` uses this version.',
      },
    );
  const version = await ensureCopy(rootDir, env);
  refusePresent(version, supervisor);
  const nights = await readNights(rootDir, env, { write: () => undefined });
  if (!isForced) refuseRepeated(version, refusedVersions(nights));
  await writeOffer(nightPlaces(rootDir, env).folder, version, isForced);
  return version;
}

/** Throws `unavailable` if the worker of this supervisor runs the version already. */
export function refusePresent({ version, hash }: KeptVersion, present: { readonly hash?: string }): void {
  if (hash !== present.hash) return;
  throw new SelfwareError('unavailable', `The run works with version ${version} (${hash}) already.`, {
    action: 'Install or build another version first, and offer that one.',
  });
}

/** Throws `unavailable` if the version is among these hashes of refused versions. */
export function refuseRepeated({ version, hash }: KeptVersion, refused: readonly string[]): void {
  if (!refused.includes(hash)) return;
  throw new SelfwareError('unavailable', `A run has refused version ${version} (${hash}) before, or rolled it back.`, {
    action: 'See why: `selfware report`. Offer it once more: `selfware night upgrade --again`.',
  });
}

/**
 * Offers this version if the run works with an older one, and returns it then. A run without its own copy of Selfware
 * accepts no offers. The third parameter is the run's supervisor.
 */
export async function offerIfNewer(
  rootDir: string,
  env: Environment,
  { version }: { readonly version?: string },
): Promise<KeptVersion | null> {
  return version !== undefined && isNewer(programVersion(), version) ? offerVersion(rootDir, env, false) : null;
}
