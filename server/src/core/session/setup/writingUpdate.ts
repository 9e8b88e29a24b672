// Writes the manifests and the lock file of an update, in a scratch copy. Nothing is installed, and no script runs.

import { SelfwareError } from '../../../util/typedError.ts';
import type { LockChanges } from '../../model/dependencies.ts';
import { readLockEntries } from '../../model/lockEntries.ts';
import { findUpdatedDependencies, replaceRanges } from '../../model/updatedDependency.ts';
import type { FileEdit } from '../../model.ts';
import type { Operation } from '../../operation.ts';
import type { ChosenUpdate } from '../../setup/updates/compatibleUpdates.ts';
import { compareLocks } from '../../setup/updates/lockChanges.ts';
import { isUnreachable, readErrorCode } from '../../setup/updates/lookUps.ts';
import { NO_PROGRAMS } from '../../setup/updates/npmSettings.ts';
import { allowsVersion } from '../../setup/updates/versionRanges.ts';
import { createPinnedSpec, createStyledSpec } from '../../setup/updates/writtenRanges.ts';
import { findReachedPlaces, type LookUpScratch } from './outdated.ts';

/** The texts of the repository on which an update is based. */
export interface UpdateBase {
  /** Texts of the manifests by path. */
  readonly manifests: ReadonlyMap<string, string>;
  /** Path of the lock file. */
  readonly lock: string;
  readonly lockText: string;
}

/** The edits of an update, and the changes in the lock file. */
export interface WrittenUpdate {
  readonly edits: readonly FileEdit[];
  readonly lock: LockChanges;
}

/**
 * Lets npm write the lock file for the chosen versions, all at once, because some fit only with others. With
 * `keepsRanges`, a range that allows the new version stays as it is. In a manifest, only the ranges change. Throws
 * `usage` if npm refuses the versions or would change anything else, `unavailable` if it cannot ask the registry.
 */
export async function writeUpdate(
  scratch: LookUpScratch,
  base: UpdateBase,
  updates: readonly ChosenUpdate[],
  keepsRanges: boolean,
  operation: Operation,
): Promise<WrittenUpdate> {
  const label = updates.map(({ dependency, version }) => `${dependency.name}@${version}`).join(', ');
  const write = async (lockText: string, specOf: (update: ChosenUpdate) => string) => {
    const manifests = writeManifests(base, updates, specOf);
    await scratch.place(new Map([...manifests, [base.lock, lockText] as const].map(encodeEntry)));
    await runNpm(scratch, label, operation);
    return { manifests, lockText: await readLock(scratch, base.lock) };
  };
  // npm takes the version of the lock file for a range that allows it. Without such a version, it takes the newest one
  // that the range allows. So the lock file is first written with exact versions.
  const pinned = await write(base.lockText, ({ dependency, version }) => createPinnedSpec(dependency.spec, version));
  const { manifests, lockText } = await write(pinned.lockText, ({ dependency: { spec }, version }) =>
    keepsRanges && allowsVersion(spec, version) ? spec : createStyledSpec(spec, version, scratch.npmrc),
  );
  return requireOnlyChosen(scratch, base, updates, manifests, lockText);
}

/**
 * The new texts of the manifests that declare one of the updates, by path. `specOf`: the new specifier of an update.
 * Throws `usage` if a manifest has no single entry to replace.
 */
function writeManifests(
  base: UpdateBase,
  updates: readonly ChosenUpdate[],
  specOf: (update: ChosenUpdate) => string,
): ReadonlyMap<string, string> {
  const paths = [...new Set(updates.map(({ dependency }) => dependency.manifest))];
  return new Map(
    paths.map((path) => {
      const ranges = updates
        .filter(({ dependency }) => dependency.manifest === path)
        .map((update) => {
          const { table, name, spec } = update.dependency;
          return { table, name, range: { before: spec, after: specOf(update) } };
        });
      const text = replaceRanges(base.manifests.get(path) ?? '', ranges);
      if (text !== null) return [path, text] as const;
      const names = ranges.map(({ name }) => name).join(', ');
      throw new SelfwareError('usage', `${path} has no single entry of ${names} that can be replaced.`, {
        action: 'Leave one entry of it, in one table, then run it again.',
      });
    }),
  );
}

/** Returns the edits. Throws `usage` if they change nothing, do not make the update, or change anything else. */
function requireOnlyChosen(
  scratch: LookUpScratch,
  base: UpdateBase,
  updates: readonly ChosenUpdate[],
  manifests: ReadonlyMap<string, string>,
  lockText: string,
): WrittenUpdate {
  const names = updates.map(({ dependency }) => dependency.name).join(', ');
  if (lockText === base.lockText) {
    const current = updates.map(({ dependency, version }) => `${dependency.name} is at ${version}`).join(', ');
    throw new SelfwareError('usage', `There is nothing to update: ${current}.`);
  }
  const missedUpdate = updates.find(({ dependency, version }) => findLockedVersion(lockText, dependency) !== version);
  if (missedUpdate !== undefined)
    throw new SelfwareError(
      'usage',
      `npm puts ${missedUpdate.dependency.name} ${findLockedVersion(lockText, missedUpdate.dependency) ?? 'nowhere'} into the lock file, and not ${missedUpdate.version}.`,
      { action: `\`npm install ${missedUpdate.dependency.name}@${missedUpdate.version}\` may say why.` },
    );
  const edits = [
    ...[...manifests].map(([path, after]) => ({ path, before: base.manifests.get(path) ?? null, after })),
    { path: base.lock, before: base.lockText, after: lockText },
  ].filter((edit) => edit.before !== edit.after);
  const lock = compareLocks(base.lockText, lockText, scratch.hosts);
  requireOnlyUpdate(names, lock);
  if (findUpdatedDependencies(edits) === null)
    throw new SelfwareError('usage', `npm changes more than the entries of ${names}, so nothing is proposed.`, {
      action: `Run \`npm install --package-lock-only --ignore-scripts\`, commit the result, then run it again.`,
    });
  return { edits, lock };
}

/**
 * Throws `usage` if a lock file changes packages in a way that the update does not explain, or takes packages from new
 * hosts.
 */
export function requireOnlyUpdate(names: string, { altered, newHosts }: LockChanges): void {
  const [unexplained] = altered.filter(({ isGain }) => !isGain);
  if (unexplained !== undefined)
    throw new SelfwareError(
      'usage',
      `The update of ${names} changes ${unexplained.fields.join(', ')} of ${unexplained.place} in the lock file, whose version stays the same, so nothing is proposed.`,
      { action: 'Find out why with `npm install --package-lock-only --ignore-scripts` and `git diff`.' },
    );
  if (newHosts.length > 0)
    throw new SelfwareError(
      'usage',
      `The update of ${names} takes packages from where none comes from so far (${newHosts.join(', ')}), so nothing is proposed.`,
      { action: `If you trust that, run \`npm install ${names.replaceAll(',', '')}\` yourself.` },
    );
}

/**
 * Lets npm write the lock file. Throws `usage` if npm refuses the versions, and `unavailable` if the registry cannot be
 * reached.
 */
async function runNpm(scratch: LookUpScratch, label: string, operation: Operation): Promise<void> {
  const command = [
    ...['npm', 'install', '--package-lock-only', ...NO_PROGRAMS],
    ...['--no-audit', '--no-fund', '--json'],
  ];
  const answer = await scratch.run({ command, env: { npm_config_ignore_scripts: 'true' }, network: true }, operation);
  if (answer.outcome === 'exited' && answer.exitCode === 0) return;
  const code = readErrorCode(answer);
  if (code === 'ERESOLVE')
    throw new SelfwareError('usage', `${label} does not fit what other packages ask for (ERESOLVE).`, {
      action: 'Update those packages first: `npm install` names them.',
    });
  if (code === 'ETARGET' || code === 'E404')
    throw new SelfwareError('usage', `The registry has no ${label}.`, {
      action: '`selfware outdated` lists the versions.',
    });
  const reason = code === null || isUnreachable(code) ? 'unavailable' : 'usage';
  throw new SelfwareError(reason, `npm could not make the update of ${label}${code === null ? '' : ` (${code})`}.`, {
    action: 'Run `selfware outdated`: it says what the registry answers.',
  });
}

/** The text of the lock file in the scratch copy. Throws `unreadable` if it is missing. */
async function readLock(scratch: LookUpScratch, path: string): Promise<string> {
  const bytes = await scratch.read(path);
  if (bytes !== null) return new TextDecoder('utf-8', { ignoreBOM: true }).decode(bytes);
  throw new SelfwareError('unreadable', `${path} cannot be read.`, { action: 'Repair it, then run it again.' });
}

/** The version of a dependency in the lock file; null if it is not there. */
function findLockedVersion(lockText: string, dependency: ChosenUpdate['dependency']): string | null {
  const entries = readLockEntries(lockText);
  const version = entries.get(findReachedPlaces(dependency, entries).place)?.['version'];
  return typeof version === 'string' ? version : null;
}

function encodeEntry([path, text]: readonly [string, string]): readonly [string, Uint8Array] {
  return [path, new TextEncoder().encode(text)];
}
