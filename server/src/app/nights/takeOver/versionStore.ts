// Manages the copies of Selfware's versions that unattended runs use.

import { existsSync, readdirSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { isInRepositoryOrFolder, resolveStateFolder } from '../../../adapters/files/stateFolder.ts';
import { keepVersion, readCopyFacts } from '../../../adapters/run/versionCopies.ts';
import { readOpenOffer } from '../../../adapters/run/versionOffers.ts';
import type { ProgramVersion } from '../../../core/run/takeOver.ts';
import { SelfwareError } from '../../../util/typedError.ts';
import { findPackageRoot } from '../../programPaths.ts';
import type { NightRequest } from '../night.ts';

type Environment = NightRequest['env'];

/**
 * Returns the copy of this version for the runs of this repository; creates it first if it does not exist. Throws
 * `usage` if the state folder is in a repository, `unavailable`, and the errors of the file system.
 */
export async function ensureCopy(rootDir: string, env: Environment): Promise<ProgramVersion> {
  const store = resolveVersionsFolder(rootDir, env);
  if (store === null)
    throw new SelfwareError('usage', 'The state folder lies in a repository, which could bring versions of its own.', {
      action: 'Set SELFWARE_HOME to a folder outside of repositories.',
    });
  return keepVersion(findPackageRoot(), store, listOfferedHashes(dirname(store)));
}

/**
 * The folder of the versions for runs; null if it would be in a repository. Code of the versions runs outside the
 * sandbox, so it must not come from a repository.
 */
export function resolveVersionsFolder(rootDir: string, env: Environment): string | null {
  const store = join(dirname(resolveStateFolder(rootDir, env)), 'versions');
  return isInRepositoryOrFolder(store, [rootDir]) ? null : store;
}

/** Hashes of the versions that are offered to runs of any repository. `home`: the folder of all state folders. */
function listOfferedHashes(home: string): readonly string[] {
  const folders = existsSync(home) ? readdirSync(home) : [];
  return folders.flatMap((name) => readOpenOffer(join(home, name, 'night'))?.offer.hash ?? []);
}

/** The copy from which this process runs; null if it runs from an installation or a clone. */
export async function findRunningCopy(): Promise<ProgramVersion | null> {
  return readCopyFacts(findPackageRoot());
}
