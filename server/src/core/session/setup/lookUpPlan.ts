// Plans the questions about dependencies to the registries of a repository, and finds the hosts for which consent is
// missing.

import { readConsents } from '../../ledger/consents.ts';
import { posix } from 'node:path';
import { SelfwareError } from '../../../util/typedError.ts';
import type { DirectDependency, LeftOutPackage, LookUpPlan, UnknownPart } from '../../model/dependencies.ts';
import type { SentData } from '../../model/asks.ts';
import type { SetupFiles } from '../../setup/manager.ts';
import { detectManager } from '../../setup/manager.ts';
import {
  collectDirectDependencies,
  findRootLock,
  hasWorkspaces,
  listLockedNames,
} from '../../setup/updates/directDependencies.ts';
import { findLeftOut } from '../../setup/updates/leftOut.ts';
import { readNpmSettings } from '../../setup/updates/npmSettings.ts';
import { listRegistryHosts } from '../../setup/updates/registryHosts.ts';
import type { SessionContext } from '../context.ts';
import { readTextOrNull } from '../search/packing.ts';
import { requirePackages } from './planning.ts';

/** The files of the repository that name its dependencies. */
export interface DependencyFiles {
  readonly files: SetupFiles;
  /** Paths of the manifests, the one in the root first. */
  readonly manifests: readonly string[];
}

/** Plans the questions of a look-up. Throws `untrusted`, `noCommit`, `notARepository`, `cancelled`. */
export async function planLookUp(context: SessionContext, signal: AbortSignal): Promise<LookUpPlan> {
  const { files, manifests } = await readDependencyFiles(context, signal);
  const dependencies = collectDirectDependencies(manifests, files);
  const manager = detectManager(files, { os: 'linux', arch: 'x64' })?.name ?? null;
  const lock = manager === 'npm' ? findRootLock(files) : null;
  const settings = readNpmSettings(files.text('.npmrc'));
  const text = lock === null ? null : files.text(lock);
  const leftOut = text === null ? [] : findLeftOut(text, settings);
  const canBeAsked = (name: string) => !leftOut.some((candidate) => candidate.name === name);
  const names = [...dependencies.map(getRegistryName), ...(lock === null ? [] : listLockedNames(files))];
  const hosts = dependencies.length === 0 ? [] : listRegistryHosts(names.filter(canBeAsked), settings);
  const data: readonly SentData[] = lock === null ? ['packages'] : ['packages', 'lockedPackages'];
  const agreed = await readAgreedData(context);
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
    unasked: findUnaskedHosts({ hosts, data }, agreed),
    unknown: dependencies.length === 0 || lock !== null ? [] : [explainMissingLock(manager)],
  };
}

/** Throws `forbidden` if a person has not agreed to ask one of the hosts. */
export function requireAgreedHosts({ unasked, sends }: Pick<LookUpPlan, 'unasked' | 'sends'>): void {
  if (unasked.length === 0) return;
  throw new SelfwareError('forbidden', `${unasked.join(', ')} would get ${sends}, and nobody has agreed to that.`, {
    action: 'Run `selfware outdated` at a terminal of your own: it asks once.',
  });
}

/** The reason why nothing is asked about a dependency; null if it may be asked about. */
export function explainUnasked(
  dependency: Pick<DirectDependency, 'name' | 'spec'>,
  leftOut: readonly LeftOutPackage[],
): UnknownPart | null {
  const leftOutPackage = leftOut.find(({ name }) => name === getRegistryName(dependency));
  return leftOutPackage === undefined ? null : explainLeftOut([leftOutPackage]);
}

/** Explains why nothing is known of these packages, and what a person can do about it. */
export function explainLeftOut(packages: readonly LeftOutPackage[]): UnknownPart {
  const list = packages.map(({ name, host }) => `${name} (${host})`).join(', ');
  return {
    reason: `Versions and advisories are unknown of packages from another host, which nobody is asked about: ${list}.`,
    action: 'Name their registry in the .npmrc of the repository.',
  };
}

/** The name in the registry, which differs from the declared name for `npm:NAME@RANGE`. */
export function getRegistryName({ name, spec }: Pick<DirectDependency, 'name' | 'spec'>): string {
  return /^npm:((?:@[^@/]+\/)?[^@]+)/.exec(spec)?.[1] ?? name;
}

/** Throws `forbidden` if people no longer agree that the data of the plan are sent to its hosts. */
export async function requireCurrentConsent(context: SessionContext, plan: LookUpPlan): Promise<void> {
  requireAgreedHosts({ sends: plan.sends, unasked: findUnaskedHosts(plan, await readAgreedData(context)) });
}

/** Reads the files that name the dependencies of the repository. */
export async function readDependencyFiles(context: SessionContext, signal: AbortSignal): Promise<DependencyFiles> {
  const { tracked, others } = await requirePackages(context).files(signal);
  const paths = new Set([...tracked, ...others]);
  const texts = new Map<string, string>();
  const wantedPaths = [...paths].filter(
    (path) =>
      /^(?:\.npmrc|package-lock\.json|npm-shrinkwrap\.json|\.yarnrc\.yml|pnpm-lock\.yaml)$/.test(path) ||
      (posix.basename(path) === 'package.json' && !path.split('/').includes('node_modules')),
  );
  for (const path of wantedPaths) {
    const text = await readTextOrNull(context, path);
    if (text !== null) texts.set(path, text);
  }
  const files: SetupFiles = { has: (path) => paths.has(path), text: (path) => texts.get(path) ?? null };
  const nestedManifests = [...texts.keys()]
    .filter((path) => path.endsWith('/package.json') && isWorkspace(files, path))
    .sort();
  return { files, manifests: ['package.json', ...nestedManifests].filter((path) => texts.has(path)) };
}

/**
 * True for the manifest of a workspace. npm's lock file names its folder; without such a lock file, any manifest counts
 * if the root has workspaces.
 */
function isWorkspace(files: SetupFiles, manifest: string): boolean {
  const lock = findRootLock(files);
  if (!hasWorkspaces(files)) return false;
  return lock === null || (files.text(lock) ?? '').includes(`"${posix.dirname(manifest)}": {`);
}

/** The hosts to which people have not agreed to send all of the data. */
function findUnaskedHosts(
  { hosts, data }: Pick<LookUpPlan, 'hosts' | 'data'>,
  agreed: ReadonlySet<string>,
): readonly string[] {
  return hosts.filter((host) => !data.every((kind) => agreed.has(`${kind} ${host}`)));
}

/** The data that people currently agree to send, as `KIND HOST`. */
async function readAgreedData({ ledger, repositoryLedger }: SessionContext): Promise<ReadonlySet<string>> {
  // People withdraw consents in the ledger of the repository, even while a run works in its own tree.
  const agreed = [...(await readConsents(repositoryLedger ?? ledger)).values()];
  return new Set(agreed.flatMap(({ destination, sends }) => sends.map((kind) => `${kind} ${destination}`)));
}

/** Explains why current versions and advisories are unknown without npm's lock file. */
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
