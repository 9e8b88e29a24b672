// Looks up the direct dependencies of a repository at their registries, once a person has agreed.

import { readConsents } from '../../ledger/consents.ts';
import { posix } from 'node:path';
import { SelfwareError } from '../../../util/typedError.ts';
import type {
  CheckedDependency,
  DirectDependency,
  LeftOutPackage,
  LookUpPlan,
  OutdatedReport,
  UnknownPart,
} from '../../model/dependencies.ts';
import type { SentData } from '../../model/asks.ts';
import { readLockEntries, type LockEntry } from '../../model/lockEntries.ts';
import type { Operation } from '../../operation.ts';
import type { InstallStep, LookUpResult, NetworkScratch } from '../../ports/packages.ts';
import type { SetupFiles } from '../../setup/manager.ts';
import { detectManager } from '../../setup/manager.ts';
import {
  findAdvisories,
  findOtherAdvisories,
  readAudit,
  severityRank,
  type AuditReport,
  type ReachedPlaces,
} from '../../setup/updates/advisories.ts';
import {
  collectDirectDependencies,
  findRootLock,
  hasWorkspaces,
  listLockedNames,
} from '../../setup/updates/directDependencies.ts';
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
import { findLeftOut, leaveOutOfLock } from '../../setup/updates/leftOut.ts';
import { findPlace, findReached } from '../../setup/updates/lockGraph.ts';
import { NO_PROGRAMS, readNpmSettings } from '../../setup/updates/npmSettings.ts';
import { listRegistryHosts } from '../../setup/updates/registryHosts.ts';
import { classifyUpdate } from '../../setup/updates/versions.ts';
import type { SessionContext } from '../context.ts';
import { readTextOrNull } from '../search/packing.ts';
import { requirePackages } from './planning.ts';

/** The folder in the scratch copy from which npm is asked, with nothing but names and ranges. */
const ASKING_FOLDER = '.selfware-outdated';
/** npm repeats a failed request twice within minutes; one repetition within a second is enough here. */
const LOOK_UP_ENV: InstallStep['env'] = {
  npm_config_audit: 'true',
  npm_config_ignore_scripts: 'true',
  npm_config_fetch_retries: '1',
  npm_config_fetch_retry_mintimeout: '500',
  npm_config_fetch_retry_maxtimeout: '1000',
  npm_config_fetch_timeout: '60000',
  npm_config_update_notifier: 'false',
};
const UPDATE_ORDER: readonly CheckedDependency['update'][] = ['patch', 'minor', 'major', 'none', 'unknown'];

/** The files of the repository that say what it depends on. */
export interface DependencyFiles {
  readonly files: SetupFiles;
  /** Paths of the manifests, the root first. */
  readonly manifests: readonly string[];
}

/** What a look-up would ask. Throws `untrusted`, `noCommit`, `notARepository`, `cancelled`. */
export async function planLookUp(context: SessionContext, signal: AbortSignal): Promise<LookUpPlan> {
  const { files, manifests } = await readDependencyFiles(context, signal);
  const dependencies = collectDirectDependencies(manifests, files);
  const manager = detectManager(files, { os: 'linux', arch: 'x64' })?.name ?? null;
  const lock = manager === 'npm' ? findRootLock(files) : null;
  const settings = readNpmSettings(files.text('.npmrc'));
  const text = lock === null ? null : files.text(lock);
  const leftOut = text === null ? [] : findLeftOut(text, settings);
  const isAsked = (name: string) => !leftOut.some((candidate) => candidate.name === name);
  const names = [...dependencies.map(registryName), ...(lock === null ? [] : listLockedNames(files))];
  const hosts = dependencies.length === 0 ? [] : listRegistryHosts(names.filter(isAsked), settings);
  const data: readonly SentData[] = lock === null ? ['packages'] : ['packages', 'lockedPackages'];
  const agreed = await findAgreed(context);
  return {
    manager,
    lock,
    dependencies,
    hosts,
    sends:
      lock === null
        ? 'the names of its direct dependencies'
        : `the names of its direct dependencies, and names and versions of all packages in ${lock}`,
    data,
    leftOut,
    unasked: hosts.filter((host) => !data.every((kind) => agreed.has(`${kind} ${host}`))),
    unknown: dependencies.length === 0 || lock !== null ? [] : [explainMissingLock(manager)],
  };
}

/** Asks the registries. Throws `forbidden` if nobody has agreed to one of them, and the errors of the scratch copy. */
export async function lookUp(context: SessionContext, operation: Operation): Promise<OutdatedReport> {
  const plan = await planLookUp(context, operation.signal);
  requireAgreed(plan);
  const { manager, lock, hosts, dependencies, leftOut } = plan;
  if (dependencies.length === 0) return { manager, lock, hosts, dependencies: [], others: [], unknown: plan.unknown };
  await using scratch = await openLookUp(context, plan, operation.signal);
  const versions = new Map<string, KnownVersions | UnknownPart>();
  for (const ranges of planLookUps(
    dependencies.filter((dependency) => findReasonNotToAsk(dependency, leftOut) === null),
  ))
    for (const [key, value] of await askVersions(scratch, ranges, operation)) versions.set(key, value);
  const audit = lock === null ? null : await askAudit(scratch, operation);
  const report = audit !== null && 'report' in audit ? audit.report : null;
  const entries = readLockEntries(scratch.lockText ?? '');
  const places = dependencies.map((dependency) => placesOf(dependency, entries));
  const checked = dependencies.map((dependency, index) => {
    const reason = findReasonNotToAsk(dependency, leftOut);
    return describe(dependency, reason, versions, reason === null ? report : null, places[index]!);
  });
  // What is unknown of all of them for one reason is said once.
  const reasons = new Map(
    checked.flatMap(({ unknown }) => (unknown === null ? [] : [[unknown.reason, unknown] as const])),
  );
  const shared = reasons.size === 1 && checked.every(({ unknown }) => unknown !== null) ? [...reasons.values()] : [];
  const unknown = [
    ...plan.unknown,
    ...shared,
    ...(audit !== null && 'reason' in audit ? [audit] : []),
    ...(leftOut.length > 0 ? [explainLeftOut(leftOut)] : []),
  ];
  // What a dependency brings along is shown with it only if its own advisories are.
  const shown = places.filter((_, index) => checked[index]!.advisories !== null);
  const others = report === null ? [] : findOtherAdvisories(report, shown);
  return { manager, lock, hosts, dependencies: checked.toSorted(compareUrgency), others, unknown };
}

/** A scratch copy for questions about the packages. */
export interface LookUpScratch extends NetworkScratch {
  /** The hosts that are asked. */
  readonly hosts: readonly string[];
  /** The .npmrc of the copy. */
  readonly npmrc: string;
  /** Path of the lock file; null if there is none. */
  readonly lock: string | null;
  /** The text of the lock file in the repository. */
  readonly lockText: string | null;
  readonly leftOut: readonly LeftOutPackage[];
}

/**
 * Opens a scratch copy that reaches only the hosts of the plan, and in which npm has no setting that names a program.
 * Throws the errors of `openScratch`.
 */
export async function openLookUp(
  context: SessionContext,
  { hosts, lock, leftOut }: LookUpPlan,
  signal: AbortSignal,
): Promise<LookUpScratch> {
  const { files } = await readDependencyFiles(context, signal);
  const scratch = await requirePackages(context).openScratch(hosts, signal);
  const { text: npmrc } = readNpmSettings(files.text('.npmrc'));
  try {
    await scratch.place(new Map([['.npmrc', encode(npmrc)]]));
  } catch (error) {
    await scratch[Symbol.asyncDispose]();
    throw error;
  }
  return Object.assign(scratch, { hosts, npmrc, lock, lockText: lock === null ? null : files.text(lock), leftOut });
}

/** The advisories of the lock file in the scratch copy, or why they are unknown. */
export async function askAudit(
  scratch: LookUpScratch,
  operation: Operation,
): Promise<{ readonly report: AuditReport } | UnknownPart> {
  const { lock, leftOut, hosts } = scratch;
  const bytes = lock === null || leftOut.length === 0 ? null : await scratch.read(lock);
  if (lock !== null && bytes !== null)
    await scratch.place(new Map([[lock, encode(leaveOutOfLock(new TextDecoder().decode(bytes), leftOut))]]));
  const command = ['npm', 'audit', '--json', '--package-lock-only', ...NO_PROGRAMS];
  const answer = await scratch.run({ command, env: LOOK_UP_ENV, network: true }, operation);
  if (lock !== null && bytes !== null) await scratch.place(new Map([[lock, bytes]]));
  const report = readAudit(answer);
  return report === null ? explainFailure('Advisories', answer, hosts) : { report };
}

/** Where the lock file has a direct dependency, and all that it brings along. */
export function placesOf(
  { name, manifest }: Pick<DirectDependency, 'name' | 'manifest'>,
  entries: ReadonlyMap<string, LockEntry>,
): ReachedPlaces {
  const place = findPlace(entries, posix.dirname(manifest), name) ?? `node_modules/${name}`;
  return { place, reached: findReached(entries, place) };
}

/** Why nothing is asked about a dependency; null if it is asked about. */
export function findReasonNotToAsk(
  dependency: Pick<DirectDependency, 'name' | 'spec'>,
  leftOut: readonly LeftOutPackage[],
): UnknownPart | null {
  const found = leftOut.find(({ name }) => name === registryName(dependency));
  return found === undefined ? null : explainLeftOut([found]);
}

function explainLeftOut(packages: readonly LeftOutPackage[]): UnknownPart {
  const list = packages.map(({ name, host }) => `${name} (${host})`).join(', ');
  return {
    reason: `Versions and advisories are unknown of packages from another host, which nobody is asked about: ${list}.`,
    action: 'Name their registry in the .npmrc of the repository.',
  };
}

/** The name in the registry: another one for `npm:NAME@RANGE`. */
export function registryName({ name, spec }: Pick<DirectDependency, 'name' | 'spec'>): string {
  return /^npm:((?:@[^@/]+\/)?[^@]+)/.exec(spec)?.[1] ?? name;
}

/** Throws `forbidden` if a person has not agreed to ask one of the hosts. */
export function requireAgreed({ unasked, sends }: Pick<LookUpPlan, 'unasked' | 'sends'>): void {
  if (unasked.length === 0) return;
  throw new SelfwareError('forbidden', `${unasked.join(', ')} would get ${sends}, and nobody has agreed to that.`, {
    action: 'Run `selfware outdated` at a terminal of your own: it asks once.',
  });
}

/** The files that say what the repository depends on. */
export async function readDependencyFiles(context: SessionContext, signal: AbortSignal): Promise<DependencyFiles> {
  const { tracked, others } = await requirePackages(context).files(signal);
  const paths = new Set([...tracked, ...others]);
  const texts = new Map<string, string>();
  const wanted = [...paths].filter(
    (path) =>
      /^(?:\.npmrc|package-lock\.json|npm-shrinkwrap\.json|\.yarnrc\.yml|pnpm-lock\.yaml)$/.test(path) ||
      (posix.basename(path) === 'package.json' && !path.split('/').includes('node_modules')),
  );
  for (const path of wanted) {
    const text = await readTextOrNull(context, path);
    if (text !== null) texts.set(path, text);
  }
  const files: SetupFiles = { has: (path) => paths.has(path), text: (path) => texts.get(path) ?? null };
  const below = [...texts.keys()].filter((path) => path.endsWith('/package.json') && isWorkspace(files, path)).sort();
  return { files, manifests: ['package.json', ...below].filter((path) => texts.has(path)) };
}

/** True for the manifest of a workspace: npm's lock file names its folder; for other managers, any manifest counts. */
function isWorkspace(files: SetupFiles, manifest: string): boolean {
  const lock = findRootLock(files);
  if (!hasWorkspaces(files)) return false;
  return lock === null || (files.text(lock) ?? '').includes(`"${posix.dirname(manifest)}": {`);
}

/** What people agree to send now, as `KIND HOST`. */
async function findAgreed({ ledger }: SessionContext): Promise<ReadonlySet<string>> {
  const agreed = [...(await readConsents(ledger)).values()];
  return new Set(agreed.flatMap(({ destination, sends }) => sends.map((kind) => `${kind} ${destination}`)));
}

function explainMissingLock(manager: string | null): UnknownPart {
  const name = manager?.startsWith('yarn') ? 'yarn' : (manager ?? 'npm');
  return manager === 'npm' || manager === null
    ? {
        reason: 'Current versions and advisories are unknown: there is no package-lock.json.',
        action: 'Run `npm install --package-lock-only --ignore-scripts`, and commit the file.',
      }
    : {
        reason: `Current versions and advisories are unknown: Selfware reads them from npm's lock file, and this repository uses ${name}.`,
        action: `Run \`${name} outdated\` and \`${name} audit\`.`,
      };
}

/** The versions of these packages, by `NAME SPEC`. */
async function askVersions(scratch: LookUpScratch, ranges: AskedRanges, operation: Operation): Promise<FoundVersions> {
  return settle(scratch, ranges, await askOnce(scratch, ranges, operation), operation);
}

type FoundVersions = ReadonlyMap<string, KnownVersions | UnknownPart>;

/**
 * Reads an answer. If it is an error of the registry, the packages are asked about in halves, so that one that fails
 * does not lose the others; not if both halves are refused alike, because then the registry refuses all.
 */
async function settle(
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
    const what = entries.length === 1 ? `The versions of ${entries[0]![0]}` : 'Versions';
    const failure = explainFailure(what, answer, scratch.hosts);
    return new Map(entries.map(([name, spec]) => [`${name} ${spec}`, failure]));
  };
  if (entries.length === 1 || isUnreachable(readErrorCode(answer)) || answer.outcome !== 'exited') return fail();
  const middle = Math.ceil(entries.length / 2);
  const halves = [entries.slice(0, middle), entries.slice(middle)].map((half) => Object.fromEntries(half));
  const answers: LookUpResult[] = [];
  for (const half of halves) answers.push(await askOnce(scratch, half, operation));
  const codes = new Set(answers.map((each) => (readVersions(each) === null ? readErrorCode(each) : null)));
  if (entries.length > 2 && codes.size === 1 && isRefused([...codes][0]!)) return fail();
  const found = new Map<string, KnownVersions | UnknownPart>();
  for (const [index, half] of halves.entries())
    for (const entry of await settle(scratch, half, answers[index]!, operation)) found.set(...entry);
  return found;
}

/** Asks npm from a folder that holds only a manifest with these ranges, and the settings of the scratch copy. */
async function askOnce(scratch: LookUpScratch, ranges: AskedRanges, operation: Operation): Promise<LookUpResult> {
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

/** npm leaves packages out that the registry does not have, or does not give to everybody. */
function explainSkipped(name: string, spec: string): UnknownPart {
  return {
    reason: `The versions of ${name} are unknown: the registry has no version that fits ${spec}, or does not show it.`,
    action: `\`npm view ${name} versions\` says what it answers.`,
  };
}

function describe(
  dependency: DirectDependency,
  reason: UnknownPart | null,
  versions: FoundVersions,
  report: AuditReport | null,
  places: ReachedPlaces,
): CheckedDependency {
  const found =
    reason ?? versions.get(`${dependency.name} ${dependency.spec}`) ?? explainSkipped(dependency.name, dependency.spec);
  const known = 'latest' in found ? found : null;
  const latest = known?.latest ?? null;
  return {
    ...dependency,
    wanted: known?.wanted ?? null,
    latest,
    update: classifyUpdate(dependency.current, latest),
    advisories: report && findAdvisories(report, registryName(dependency), places),
    unknown: 'reason' in found ? found : null,
  };
}

function compareUrgency(a: CheckedDependency, b: CheckedDependency): number {
  const severity = ({ advisories }: CheckedDependency) =>
    advisories?.[0] === undefined ? Number.MAX_SAFE_INTEGER : severityRank(advisories[0].severity);
  return (
    severity(a) - severity(b) ||
    UPDATE_ORDER.indexOf(a.update) - UPDATE_ORDER.indexOf(b.update) ||
    (a.name < b.name ? -1 : 1)
  );
}
