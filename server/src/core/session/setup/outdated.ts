// Looks up the direct dependencies of a repository at their registries, once a person has agreed.

import { posix } from 'node:path';
import type {
  CheckedDependency,
  DirectDependency,
  LeftOutPackage,
  LookUpPlan,
  OutdatedReport,
  UnknownPart,
} from '../../model/dependencies.ts';
import { findPlace, readLockEntries, type LockEntry } from '../../model/lockEntries.ts';
import type { Operation } from '../../operation.ts';
import type { InstallStep, LookUpResult, NetworkScratch } from '../../ports/packages.ts';
import {
  findAdvisories,
  findOtherAdvisories,
  readAudit,
  severityRank,
  type AuditReport,
  type ReachedPlaces,
} from '../../setup/updates/advisories.ts';
import {
  explainFailure,
  isRefused,
  isUnreachable,
  planLookUps,
  readErrorCode,
  readVersions,
  type AskedRanges,
  type KnownVersions,
} from '../../setup/updates/lookUps.ts';
import { createAuditFiles, restoreFolders } from '../../setup/updates/auditFiles.ts';
import { findReached } from '../../setup/updates/lockGraph.ts';
import { NO_PROGRAMS, readNpmSettings } from '../../setup/updates/npmSettings.ts';
import { classifyUpdate } from '../../setup/updates/versions.ts';
import type { SessionContext } from '../context.ts';
import {
  explainLeftOut,
  explainUnasked,
  planLookUp,
  readDependencyFiles,
  getRegistryName,
  requireAgreedHosts,
  requireCurrentConsent,
} from './lookUpPlan.ts';
import { requirePackages } from './planning.ts';

// Both folders are in `node_modules`, because npm never takes a folder there for a workspace of the root.
/** The folder in the scratch copy from which npm is asked for versions. It contains only names and ranges. */
const ASKING_FOLDER = 'node_modules/.selfware-outdated';
/** The folder in the scratch copy from which npm is asked for advisories. */
const AUDIT_FOLDER = 'node_modules/.selfware-audit';
/**
 * The environment of npm. By default, npm repeats a failed request twice within minutes; one repetition within a second
 * is enough here.
 */
const LOOK_UP_ENV: InstallStep['env'] = {
  npm_config_audit: 'true',
  npm_config_ignore_scripts: 'true',
  npm_config_fetch_retries: '1',
  npm_config_fetch_retry_mintimeout: '500',
  npm_config_fetch_retry_maxtimeout: '1000',
  npm_config_fetch_timeout: '60000',
  npm_config_update_notifier: 'false',
};
/** The kinds of updates in the order in which they are listed. */
const UPDATE_ORDER: readonly CheckedDependency['update'][] = ['patch', 'minor', 'major', 'none', 'unknown'];

/**
 * Asks the registries about the direct dependencies. Throws `forbidden` if nobody has agreed to one of the hosts, and
 * the errors of the scratch copy.
 */
export async function lookUp(context: SessionContext, operation: Operation): Promise<OutdatedReport> {
  const plan = await planLookUp(context, operation.signal);
  requireAgreedHosts(plan);
  const { manager, lock, hosts, dependencies, leftOut } = plan;
  if (dependencies.length === 0) return { manager, lock, hosts, dependencies: [], others: [], unknown: plan.unknown };
  await using scratch = await openLookUp(context, plan, operation.signal);
  const versions = await fetchVersions(
    scratch,
    dependencies.filter((dependency) => explainUnasked(dependency, leftOut) === null),
    operation,
  );
  const audit = lock === null ? null : await runAudit(scratch, operation);
  const report = audit !== null && 'report' in audit ? audit.report : null;
  const entries = readLockEntries(scratch.lockText ?? '');
  const places = dependencies.map((dependency) => findReachedPlaces(dependency, entries));
  const checkedDependencies = dependencies.map((dependency, index) => {
    const reason = explainUnasked(dependency, leftOut);
    const isLocked = entries.has(places[index]!.place);
    return createCheckedDependency(
      dependency,
      reason,
      versions,
      reason === null && isLocked ? report : null,
      places[index]!,
    );
  });
  // If everything is unknown for the same reason, the report gives the reason once.
  const reasons = new Map(
    checkedDependencies.flatMap(({ unknown }) => (unknown === null ? [] : [[unknown.reason, unknown] as const])),
  );
  const sharedReasons =
    reasons.size === 1 && checkedDependencies.every(({ unknown }) => unknown !== null) ? [...reasons.values()] : [];
  const unknownParts = [
    ...plan.unknown,
    ...sharedReasons,
    ...(audit !== null && 'reason' in audit ? [audit] : []),
    ...(leftOut.length > 0 ? [explainLeftOut(leftOut)] : []),
    ...(lock === null
      ? []
      : explainUnlocked(
          lock,
          dependencies.filter((_, index) => !entries.has(places[index]!.place)),
        )),
  ];
  // The advisories of packages that a dependency brings along are shown with it only if its own advisories are shown.
  const shownPlaces = places.filter((_, index) => checkedDependencies[index]!.advisories !== null);
  const otherAdvisories = report === null ? [] : findOtherAdvisories(report, shownPlaces);
  return {
    manager,
    lock,
    hosts,
    dependencies: checkedDependencies.toSorted(compareUrgency),
    others: otherAdvisories,
    unknown: unknownParts,
  };
}

/** A scratch copy in which npm is asked about the packages. */
export interface LookUpScratch extends NetworkScratch {
  /** The hosts that are asked. */
  readonly hosts: readonly string[];
  /** The .npmrc of the copy. */
  readonly npmrc: string;
  /** Path of the lock file; null if there is none. */
  readonly lock: string | null;
  /** The text of the lock file in the repository. */
  readonly lockText: string | null;
  /** Packages from other hosts, about which nothing is asked. */
  readonly leftOut: readonly LeftOutPackage[];
  /** The direct dependencies of the plan. */
  readonly dependencies: readonly DirectDependency[];
}

/**
 * Opens a scratch copy that reaches only the hosts of the plan, and whose npm settings name no program. Each command
 * throws `forbidden` if people no longer agree to what the plan sends. Throws the errors of `openScratch`.
 */
export async function openLookUp(
  context: SessionContext,
  plan: LookUpPlan,
  signal: AbortSignal,
): Promise<LookUpScratch> {
  const { files } = await readDependencyFiles(context, signal);
  const { hosts, lock, leftOut, dependencies } = plan;
  const scratch = await requirePackages(context).openScratch(hosts, signal);
  const { text: npmrc } = readNpmSettings(files.text('.npmrc'));
  try {
    await scratch.place(new Map([['.npmrc', encode(npmrc)]]));
  } catch (error) {
    await scratch[Symbol.asyncDispose]();
    throw error;
  }
  const { run } = scratch;
  return Object.assign(scratch, {
    ...{ hosts, npmrc, lock, lockText: lock === null ? null : files.text(lock), leftOut, dependencies },
    run: async (...args: Parameters<typeof run>) => {
      // A person may withdraw their consent at any time, even between two questions.
      await requireCurrentConsent(context, plan);
      return run(...args);
    },
  });
}

/** Asks npm for the advisories of the lock file in the scratch copy. Returns the reason if they are unknown. */
export async function runAudit(
  scratch: LookUpScratch,
  operation: Operation,
): Promise<{ readonly report: AuditReport } | UnknownPart> {
  const { lock, leftOut, hosts, npmrc } = scratch;
  const bytes = lock === null ? null : await scratch.read(lock);
  const namedDependencies = scratch.dependencies.filter(
    (dependency) => dependency.manifest === 'package.json' && explainUnasked(dependency, leftOut) === null,
  );
  const files = createAuditFiles(bytes === null ? '' : new TextDecoder().decode(bytes), namedDependencies, leftOut);
  await scratch.place(
    new Map([
      [`${AUDIT_FOLDER}/package.json`, encode(files.manifest)],
      // npm prefers this name, so that no other lock file in the folder counts.
      [`${AUDIT_FOLDER}/npm-shrinkwrap.json`, encode(files.lock)],
      [`${AUDIT_FOLDER}/.npmrc`, encode(npmrc)],
    ]),
  );
  const command = ['npm', 'audit', '--json', '--package-lock-only', ...NO_PROGRAMS];
  const answer = await scratch.run({ command, env: LOOK_UP_ENV, network: true, folder: AUDIT_FOLDER }, operation);
  const report = readAudit(answer);
  return report === null
    ? explainFailure('Advisories', answer, hosts)
    : { report: restoreFolders(report, files.folders) };
}

/** The place of a direct dependency in the lock file, and the places of all packages that it brings along. */
export function findReachedPlaces(
  { name, manifest }: Pick<DirectDependency, 'name' | 'manifest'>,
  entries: ReadonlyMap<string, LockEntry>,
): ReachedPlaces {
  const place = findPlace(entries, posix.dirname(manifest), name) ?? `node_modules/${name}`;
  return { place, reached: findReached(entries, place) };
}

/** Explains that direct dependencies are not in the lock file, so that nothing is known of them. */
function explainUnlocked(lock: string, dependencies: readonly DirectDependency[]): readonly UnknownPart[] {
  if (dependencies.length === 0) return [];
  const list = [...new Set(dependencies.map(({ name }) => name))].join(', ');
  return [
    {
      reason: `Current versions and advisories are unknown of packages that ${lock} does not contain: ${list}.`,
      action: 'Run `npm install --package-lock-only --ignore-scripts`, and commit the file.',
    },
  ];
}

/** By `NAME SPEC`: the versions of the package, or the reason why they are unknown. */
export type FoundVersions = ReadonlyMap<string, KnownVersions | UnknownPart>;

/** Asks for the versions of these packages that fit their specs, and for the latest ones. */
export async function fetchVersions(
  scratch: LookUpScratch,
  dependencies: readonly Pick<DirectDependency, 'name' | 'spec'>[],
  operation: Operation,
): Promise<FoundVersions> {
  const versions = new Map<string, KnownVersions | UnknownPart>();
  for (const ranges of planLookUps(dependencies)) {
    const answer = await runNpmOutdated(scratch, ranges, operation);
    for (const [key, value] of await readOrAskHalves(scratch, ranges, answer, operation)) versions.set(key, value);
  }
  return versions;
}

/**
 * Reads an answer. If it is an error of the registry, asks about each half of the packages separately, so that the
 * other packages are known even if one fails. Stops if both halves fail because the registry refuses them in the same
 * way, because then it refuses all.
 */
async function readOrAskHalves(
  scratch: LookUpScratch,
  ranges: AskedRanges,
  answer: LookUpResult,
  operation: Operation,
): Promise<FoundVersions> {
  const entries = Object.entries(ranges);
  const versions = readVersions(answer);
  if (versions !== null)
    return new Map(
      entries.map(([name, spec]) => [`${name} ${spec}`, versions.get(name) ?? explainSkipped(name, spec)]),
    );
  const fail = () => {
    const subject = entries.length === 1 ? `The versions of ${entries[0]![0]}` : 'Versions';
    const failure = explainFailure(subject, answer, scratch.hosts);
    return new Map(entries.map(([name, spec]) => [`${name} ${spec}`, failure]));
  };
  if (entries.length === 1 || isUnreachable(readErrorCode(answer)) || answer.outcome !== 'exited') return fail();
  const middle = Math.ceil(entries.length / 2);
  const halves = [entries.slice(0, middle), entries.slice(middle)].map((half) => Object.fromEntries(half));
  const answers: LookUpResult[] = [];
  for (const half of halves) answers.push(await runNpmOutdated(scratch, half, operation));
  const codes = new Set(answers.map((each) => (readVersions(each) === null ? readErrorCode(each) : null)));
  if (entries.length > 2 && codes.size === 1 && isRefused([...codes][0]!)) return fail();
  const foundByPackage = new Map<string, KnownVersions | UnknownPart>();
  for (const [index, half] of halves.entries())
    for (const entry of await readOrAskHalves(scratch, half, answers[index]!, operation)) foundByPackage.set(...entry);
  return foundByPackage;
}

/** Asks npm from a folder that contains only a manifest with these ranges, and the settings of the scratch copy. */
async function runNpmOutdated(
  scratch: LookUpScratch,
  ranges: AskedRanges,
  operation: Operation,
): Promise<LookUpResult> {
  await scratch.place(
    new Map([
      [`${ASKING_FOLDER}/package.json`, encode(JSON.stringify({ private: true, dependencies: ranges }))],
      [`${ASKING_FOLDER}/.npmrc`, encode(scratch.npmrc)],
    ]),
  );
  const command = ['npm', 'outdated', '--json', ...NO_PROGRAMS];
  return scratch.run({ command, env: LOOK_UP_ENV, network: true, folder: ASKING_FOLDER }, operation);
}

function encode(text: string): Uint8Array {
  return new TextEncoder().encode(text);
}

/** Explains that npm has omitted a package: the registry does not have it, or does not show it to everybody. */
function explainSkipped(name: string, spec: string): UnknownPart {
  return {
    reason: `The versions of ${name} are unknown: the registry has no version that fits ${spec}, or does not show it.`,
    action: `\`npm view ${name} versions\` says what it answers.`,
  };
}

/**
 * The dependency with its versions and advisories. `reason`: why nothing was asked about it, or null. `report`: null if
 * its advisories are unknown.
 */
function createCheckedDependency(
  dependency: DirectDependency,
  reason: UnknownPart | null,
  versions: FoundVersions,
  report: AuditReport | null,
  places: ReachedPlaces,
): CheckedDependency {
  const foundVersion =
    reason ?? versions.get(`${dependency.name} ${dependency.spec}`) ?? explainSkipped(dependency.name, dependency.spec);
  const foundVersions = 'latest' in foundVersion ? foundVersion : null;
  const latest = foundVersions?.latest ?? null;
  return {
    ...dependency,
    wanted: foundVersions?.wanted ?? null,
    latest,
    update: classifyUpdate(dependency.current, latest),
    advisories: report && findAdvisories(report, getRegistryName(dependency), places),
    unknown: 'reason' in foundVersion ? foundVersion : null,
  };
}

/** Orders dependencies with the most severe advisory first, then by the kind of update, then by name. */
function compareUrgency(a: CheckedDependency, b: CheckedDependency): number {
  const severity = ({ advisories }: CheckedDependency) =>
    advisories?.[0] === undefined ? Number.MAX_SAFE_INTEGER : severityRank(advisories[0].severity);
  return (
    severity(a) - severity(b) ||
    UPDATE_ORDER.indexOf(a.update) - UPDATE_ORDER.indexOf(b.update) ||
    (a.name < b.name ? -1 : 1)
  );
}
