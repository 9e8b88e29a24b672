// Shows that an update of dependencies does what was asked: the new versions are installed where the checks ran.

import { posix } from 'node:path';
import { parseJsonOrNull } from '../../../util/parseJson.ts';
import { isRecord } from '../../../util/values/isRecord.ts';
import { INSTALLED, OPEN_TO_PERSON } from '../../model/evidence.ts';
import { gatesOfStages } from '../../model/gateStages.ts';
import { findPlace, readLockEntries } from '../../model/lockEntries.ts';
import { findUpdatedDependencies } from '../../model/updatedDependency.ts';
import { failed, passed, unknown, type GateAnswer } from '../answer.ts';
import type { GateInput } from '../gate.ts';

/** The checks that load installed packages. */
const TRIED_GATES = gatesOfStages('checks', 'tests');

/**
 * Passes if the version of the lock file is installed in the candidate and a check has passed there. Fails if another
 * version is installed. Unknown if the edits do not only update dependencies. Unknown, and for a person to decide, if
 * an updated package is not installed here, or if no check has shown anything.
 */
export async function checkUpdate({ edits, verdicts, worktree, proposal }: GateInput): Promise<GateAnswer> {
  const update = findUpdatedDependencies(edits);
  if (update === null) return unknown('It does not only update dependencies.');
  const passedGates = TRIED_GATES.filter((gate) =>
    verdicts.some((verdict) => verdict.gate === gate && verdict.outcome === 'passed'),
  );
  const evidence = { checks: passedGates.join(' '), [INSTALLED]: 1 };
  const updateTitle = proposal.title.replace(/^update /, '');
  const newLock = edits.find(({ path }) => path === update.lock)?.after ?? '';
  const oldLock = edits.find(({ path }) => path === update.lock)?.before ?? '';
  for (const [packagePath, version] of findNewVersions(oldLock, newLock)) {
    const bytes = await worktree.read(posix.join(posix.dirname(update.lock), packagePath, 'package.json'));
    const installed = bytes === null ? null : readVersion(new TextDecoder().decode(bytes));
    // Packages for other systems are in the lock file as well, but are not installed here.
    if (installed !== null && installed !== version)
      return failed(`${packagePath} is installed at ${installed}, and the lock file says ${version}.`, evidence);
  }
  const entries = readLockEntries(newLock);
  const absentNames: string[] = [];
  for (const { name, manifest } of update.updates) {
    const folder = posix.relative(posix.dirname(update.lock), posix.dirname(manifest));
    const place = findPlace(entries, folder, name) ?? `node_modules/${name}`;
    if ((await worktree.read(posix.join(posix.dirname(update.lock), place, 'package.json'))) === null)
      absentNames.push(name);
  }
  if (absentNames.length > 0)
    return unknown(
      `It was asked for (${updateTitle}). Not installed on this system, so no check has used it: ${absentNames.join(', ')}.`,
      {
        ...evidence,
        [INSTALLED]: 0,
        [OPEN_TO_PERSON]: 1,
      },
    );
  return passedGates.length === 0
    ? unknown(
        `It was asked for (${updateTitle}). Neither types, linter nor tests show whether the code works with it.`,
        {
          ...evidence,
          [OPEN_TO_PERSON]: 1,
        },
      )
    : passed(`It was asked for (${updateTitle}), and with it installed ${passedGates.join(', ')} passed.`, evidence);
}

/** Maps the path of each added or updated package of the lock file to its new version. */
function findNewVersions(before: string, after: string): ReadonlyMap<string, string> {
  const [old, current] = [readPlaces(before), readPlaces(after)];
  return new Map([...current].filter(([place, version]) => old.get(place) !== version));
}

/** Maps the path of each package in the lock file to its version. */
function readPlaces(lock: string): ReadonlyMap<string, string> {
  const parsed = parseJsonOrNull(lock);
  const packages = isRecord(parsed) && isRecord(parsed['packages']) ? parsed['packages'] : {};
  return new Map(
    Object.entries(packages).flatMap(([place, entry]) =>
      place !== '' && isRecord(entry) && typeof entry['version'] === 'string'
        ? [[place, entry['version']] as const]
        : [],
    ),
  );
}

/** The version in the text of a manifest; null if there is none. */
function readVersion(manifest: string): string | null {
  const parsed = parseJsonOrNull(manifest);
  return isRecord(parsed) && typeof parsed['version'] === 'string' ? parsed['version'] : null;
}
