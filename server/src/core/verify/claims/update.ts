// Checks that an update of a dependency does what was asked: the new version is installed where the checks ran.

import { posix } from 'node:path';
import { parseJsonOrNull } from '../../../util/parseJson.ts';
import { isRecord } from '../../../util/values/isRecord.ts';
import { INSTALLED, OPEN_TO_PERSON } from '../../model/evidence.ts';
import { findUpdatedDependency } from '../../model/updatedDependency.ts';
import { failed, passed, unknown, type GateAnswer } from '../answer.ts';
import type { GateRun } from '../gate.ts';

/** The checks that load installed packages. */
const TRIED_GATES = ['types', 'lint', 'tests'] as const;

/**
 * Passes if the version of the lock file is installed in the candidate and a check has passed there. Fails if another
 * version is installed. Unknown, so that a person decides, if the updated package is not installed here, or if no check
 * has passed.
 */
export async function checkUpdate({ edits, verdicts, worktree, proposal }: GateRun): Promise<GateAnswer> {
  const update = findUpdatedDependency(edits);
  if (update === null) return unknown('It does not only update a dependency.');
  const passedGates = TRIED_GATES.filter((gate) =>
    verdicts.some((verdict) => verdict.gate === gate && verdict.outcome === 'passed'),
  );
  const evidence = { checks: passedGates.join(' '), [INSTALLED]: 1 };
  const updateTitle = proposal.title.replace(/^update /, '');
  const text = edits.find(({ path }) => path === update.lock)?.after ?? '';
  const old = edits.find(({ path }) => path === update.lock)?.before ?? '';
  for (const [place, version] of findNewVersions(old, text)) {
    const bytes = await worktree.read(posix.join(posix.dirname(update.lock), place, 'package.json'));
    const installed = bytes === null ? null : readVersion(new TextDecoder().decode(bytes));
    // Packages for other systems are in the lock file as well, but are not installed here.
    if (installed !== null && installed !== version)
      return failed(`${place} is installed at ${installed}, and the lock file says ${version}.`, evidence);
  }
  const name = update.entry?.name ?? /^(\S+)/.exec(updateTitle)?.[1] ?? '';
  const folder = posix.relative(posix.dirname(update.lock), posix.dirname(update.entry?.manifest ?? update.lock));
  const places = [posix.join(folder, 'node_modules', name), `node_modules/${name}`];
  const named = [...findNewVersions(old, text).keys()].filter((place) => `/${place}`.endsWith(`/node_modules/${name}`));
  const manifests = (named.length > 0 ? named : places).map((place) =>
    worktree.read(posix.join(posix.dirname(update.lock), place, 'package.json')),
  );
  if ((await Promise.all(manifests)).every((bytes) => bytes === null))
    return unknown(
      `It was asked for (${updateTitle}). ${name} is not installed on this system, so no check has used it.`,
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

function findNewVersions(before: string, after: string): ReadonlyMap<string, string> {
  const [old, current] = [readPlaces(before), readPlaces(after)];
  return new Map([...current].filter(([place, version]) => old.get(place) !== version));
}

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

function readVersion(manifest: string): string | null {
  const parsed = parseJsonOrNull(manifest);
  return isRecord(parsed) && typeof parsed['version'] === 'string' ? parsed['version'] : null;
}
