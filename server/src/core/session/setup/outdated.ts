// Looks up the direct dependencies of a repository at their registries, once a person has agreed.

import { posix } from 'node:path';
import { SelfwareError } from '../../../util/typedError.ts';
import type {
  CheckedDependency,
  DirectDependency,
  LookUpPlan,
  OutdatedReport,
  UnknownPart,
} from '../../model/dependencies.ts';
import type { Operation } from '../../operation.ts';
import type { InstallStep, LookUpResult, NetworkScratch } from '../../ports/packages.ts';
import type { SetupFiles } from '../../setup/manager.ts';
import { detectManager } from '../../setup/manager.ts';
import { findAdvisories, readAudit, severityRank, type AuditReport } from '../../setup/updates/advisories.ts';
import {
  collectDirectDependencies,
  findRootLock,
  hasWorkspaces,
  listLockedNames,
} from '../../setup/updates/directDependencies.ts';
import {
  explainFailure,
  isUnreachable,
  planLookUps,
  readErrorCode,
  readVersions,
  type AskedRanges,
  type KnownVersions,
} from '../../setup/updates/lookUps.ts';
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
  const locked = lock === null ? [] : listLockedNames(files);
  const hosts =
    dependencies.length === 0 ? [] : listRegistryHosts([...dependencies.map(registryName), ...locked], files);
  const agreed = await findAgreedHosts(context);
  return {
    manager,
    lock,
    dependencies,
    hosts,
    sends:
      lock === null
        ? 'the names of its direct dependencies'
        : `the names of its direct dependencies, and names and versions of all packages in ${lock}`,
    unasked: hosts.filter((host) => !agreed.has(host)),
    unknown: dependencies.length === 0 || lock !== null ? [] : [explainMissingLock(manager)],
  };
}

/** Asks the registries. Throws `forbidden` if nobody has agreed to one of them, and the errors of the scratch copy. */
export async function lookUp(context: SessionContext, operation: Operation): Promise<OutdatedReport> {
  const plan = await planLookUp(context, operation.signal);
  requireAgreed(plan);
  const { manager, lock, hosts, dependencies } = plan;
  if (dependencies.length === 0) return { manager, lock, hosts, dependencies: [], unknown: plan.unknown };
  const { files } = await readDependencyFiles(context, operation.signal);
  await using scratch = await requirePackages(context).openScratch(hosts, operation.signal);
  const npmrc = files.text('.npmrc');
  const versions = new Map<string, KnownVersions | UnknownPart>();
  for (const ranges of planLookUps(dependencies))
    for (const [key, value] of await askVersions(scratch, ranges, { npmrc, hosts }, operation))
      versions.set(key, value);
  const audit = lock === null ? null : await askAudit(scratch, hosts, operation);
  const report = audit !== null && 'report' in audit ? audit.report : null;
  const checked = dependencies.map((dependency) => describe(dependency, versions, report));
  // What is unknown of all of them for one reason is said once.
  const reasons = new Map(
    checked.flatMap(({ unknown }) => (unknown === null ? [] : [[unknown.reason, unknown] as const])),
  );
  const shared = reasons.size === 1 && checked.every(({ unknown }) => unknown !== null) ? [...reasons.values()] : [];
  const unknown = [...plan.unknown, ...shared, ...(audit !== null && 'reason' in audit ? [audit] : [])];
  return { manager, lock, hosts, dependencies: checked.toSorted(compareUrgency), unknown };
}

/** The advisories of the lock file in the scratch copy, or why they are unknown. */
export async function askAudit(
  scratch: NetworkScratch,
  hosts: readonly string[],
  operation: Operation,
): Promise<{ readonly report: AuditReport } | UnknownPart> {
  const command = ['npm', 'audit', '--json', '--package-lock-only', '--ignore-scripts'];
  const answer = await scratch.run({ command, env: LOOK_UP_ENV, network: true }, operation);
  const report = readAudit(answer);
  return report === null ? explainFailure('Advisories', answer, hosts) : { report };
}

/** Where the lock file may have the package of a direct dependency. */
export function lockedPlaces({ name, manifest }: Pick<DirectDependency, 'name' | 'manifest'>): readonly string[] {
  return [`node_modules/${name}`, posix.join(posix.dirname(manifest), 'node_modules', name)];
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

async function findAgreedHosts({ ledger }: SessionContext): Promise<ReadonlySet<string>> {
  const events = await ledger.query({ types: ['consented'] });
  return new Set(
    events.flatMap(({ data }) => {
      const { destination, sends } = data as { destination?: unknown; sends?: unknown };
      return typeof destination === 'string' && Array.isArray(sends) && sends.includes('packages') ? [destination] : [];
    }),
  );
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

/**
 * The versions of these packages, by `NAME SPEC`. If the registry answers with an error, the packages are asked about
 * in halves, so that one that fails does not lose the others.
 */
async function askVersions(
  scratch: NetworkScratch,
  ranges: AskedRanges,
  about: { readonly npmrc: string | null; readonly hosts: readonly string[] },
  operation: Operation,
): Promise<ReadonlyMap<string, KnownVersions | UnknownPart>> {
  const entries = Object.entries(ranges);
  const answer = await askOnce(scratch, ranges, about.npmrc, operation);
  const versions = readVersions(answer);
  if (versions !== null)
    return new Map(
      entries.map(([name, spec]) => [`${name} ${spec}`, versions.get(name) ?? explainSkipped(name, spec)]),
    );
  if (entries.length === 1 || isUnreachable(readErrorCode(answer)) || answer.outcome !== 'exited') {
    const what = entries.length === 1 ? `The versions of ${entries[0]![0]}` : 'Versions';
    const failure = explainFailure(what, answer, about.hosts);
    return new Map(entries.map(([name, spec]) => [`${name} ${spec}`, failure]));
  }
  const middle = Math.ceil(entries.length / 2);
  const halves = [entries.slice(0, middle), entries.slice(middle)];
  const found = new Map<string, KnownVersions | UnknownPart>();
  for (const half of halves)
    for (const entry of await askVersions(scratch, Object.fromEntries(half), about, operation)) found.set(...entry);
  return found;
}

/** Asks npm from a folder that holds only a manifest with these ranges, and the settings of the repository. */
async function askOnce(
  scratch: NetworkScratch,
  ranges: AskedRanges,
  npmrc: string | null,
  operation: Operation,
): Promise<LookUpResult> {
  const encode = (text: string) => new TextEncoder().encode(text);
  await scratch.place(
    new Map([
      [`${ASKING_FOLDER}/package.json`, encode(JSON.stringify({ private: true, dependencies: ranges }))],
      ...(npmrc === null ? [] : ([[`${ASKING_FOLDER}/.npmrc`, encode(npmrc)]] as const)),
    ]),
  );
  const command = ['npm', 'outdated', '--json', '--ignore-scripts'];
  return scratch.run({ command, env: LOOK_UP_ENV, network: true, folder: ASKING_FOLDER }, operation);
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
  versions: ReadonlyMap<string, KnownVersions | UnknownPart>,
  report: AuditReport | null,
): CheckedDependency {
  const found =
    versions.get(`${dependency.name} ${dependency.spec}`) ?? explainSkipped(dependency.name, dependency.spec);
  const known = 'latest' in found ? found : null;
  const latest = known?.latest ?? null;
  return {
    ...dependency,
    wanted: known?.wanted ?? null,
    latest,
    update: classifyUpdate(dependency.current, latest),
    advisories: report && findAdvisories(report, registryName(dependency), lockedPlaces(dependency)),
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
