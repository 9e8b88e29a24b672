// Makes the update of dependencies that a person has asked for, and installs the packages of both sides.

import { canonicalJson } from '../../../util/canonicalJson.ts';
import { sha256 } from '../../../util/hash.ts';
import { SelfwareError } from '../../../util/typedError.ts';
import { isRecord } from '../../../util/values/isRecord.ts';
import type {
  Advisory,
  DependencyUpdate,
  DirectDependency,
  LeftDependency,
  LookUpPlan,
  UnknownPart,
  UpdateDraft,
  UpdateRequest,
  UpdateTarget,
} from '../../model/dependencies.ts';
import { readLockEntries } from '../../model/lockEntries.ts';
import { parseManifestTable } from '../../model/removedDependency.ts';
import { formatMoment, refusalSentence } from '../../model/skippedPlaces.ts';
import { findUpdatedDependencies } from '../../model/updatedDependency.ts';
import type { FileEdit } from '../../model.ts';
import type { Operation } from '../../operation.ts';
import type { PackageTree } from '../../ports/packages.ts';
import type { ChangedFiles } from '../../ports/sandbox.ts';
import { describeFailure } from '../../setup/installFailure.ts';
import { NOTHING_ALLOWED, type PlannedSetup } from '../../setup/plan.ts';
import { findAdvisories } from '../../setup/updates/advisories.ts';
import {
  chooseUpdate,
  findCompatibleRange,
  listFromOtherSources,
  type ChosenUpdate,
} from '../../setup/updates/compatibleUpdates.ts';
import type { KnownVersions } from '../../setup/updates/lookUps.ts';
import { createPinnedSpec } from '../../setup/updates/writtenRanges.ts';
import type { SessionContext } from '../context.ts';
import { explainUnasked, planLookUp, readDependencyFiles, getRegistryName, requireAgreedHosts } from './lookUpPlan.ts';
import { fetchVersions, runAudit, openLookUp, findReachedPlaces, type LookUpScratch } from './outdated.ts';
import { findPassing, type Attempt } from './findPassing.ts';
import { planForFiles, requirePackages } from './planning.ts';
import { writeUpdate, type WrittenUpdate } from './writingUpdate.ts';

/** Matches an exact version. */
const EXACT_VERSION = /^\d+\.\d+\.\d+(?:[-+][\w.+-]*)?$/;
/** Matches a version, a range or a tag that is one plain word of a command line. */
const VERSION_PATTERN = /^[\w^~*][\w.^~*+-]{0,100}$/;

/** Maximum number of dependencies for which an error says why they are not updated. */
const MAX_REASONS = 5;

/** A drafted update, and the installations that it needs. */
export interface MadeUpdate {
  readonly draft: UpdateDraft;
  /**
   * The installations without the update and with it, in this order; null for a side whose packages are already
   * installed.
   */
  readonly installs: readonly (PlannedSetup | null)[];
  readonly request: UpdateRequest;
}

/**
 * Makes the edits of an update in a scratch copy, and plans the installations. If npm cannot update some of several
 * packages together with the others, these are left as they are. Throws `forbidden` if people have not agreed to ask
 * the registries, `unavailable`, `usage` if there is nothing to update, and the errors of the scratch copy.
 */
export async function draftUpdate(
  context: SessionContext,
  request: UpdateRequest,
  operation: Operation,
): Promise<MadeUpdate> {
  const { signal } = operation;
  const plan = await planLookUp(context, signal);
  requireAgreedHosts(plan);
  const { files, manifests } = await readDependencyFiles(context, signal);
  const lock = requireUpdatableLock(plan, plan.lock === null ? null : files.text(plan.lock));
  const isMinor = request.packages === 'minor';
  const requested = request.packages === 'minor' ? [] : findRequested(plan, request.packages);
  // Only hosts that the person has agreed to: no package is downloaded here.
  await using scratch = await openLookUp(context, plan, signal);
  const audit = await runAudit(scratch, operation);
  const { chosen: chosenUpdates, left } = isMinor
    ? await chooseCompatible(scratch, operation)
    : { chosen: await resolveVersions(scratch, requested, operation), left: [] };
  const base = {
    manifests: new Map(
      chosenUpdates.map(({ dependency: { manifest } }) => [manifest, files.text(manifest) ?? ''] as const),
    ),
    ...{ lock, lockText: files.text(lock) ?? '' },
  };
  const keepsRanges = isMinor || request.keepsRanges === true;
  const passing = await findPassing(chosenUpdates, async (part): Promise<Attempt<WrittenUpdate>> => {
    try {
      return { outcome: 'passed', answer: await writeUpdate(scratch, base, part, keepsRanges, operation) };
    } catch (error) {
      if (!(error instanceof SelfwareError && error.reason === 'usage') || chosenUpdates.length === 1) throw error;
      return { outcome: 'failed', reason: error.message };
    }
  });
  const unfitting = passing.failed.map(({ item: { dependency }, reason }) => createLeftDependency(dependency, reason));
  const leftDependencies = [...left, ...unfitting, ...(isMinor ? listFromOtherSources(manifests, files) : [])];
  if (passing.answer === null) throw explainNoUpdate(leftDependencies);
  const { edits, lock: lockChanges } = passing.answer;
  const lockText = edits.find(({ path }) => path === lock)?.after ?? '';
  // The scratch copy holds what was tried last.
  await scratch.place(new Map([[lock, new TextEncoder().encode(lockText)]]));
  const auditAfter = 'report' in audit ? await runAudit(scratch, operation) : audit;
  const dependencies = passing.passed.map(({ dependency }) => dependency);
  const [old, current] = [
    advisoriesOf(dependencies, audit, base.lockText),
    advisoriesOf(dependencies, auditAfter, lockText),
  ];
  const installs = await planInstallations(context, edits, request.scripts, signal);
  const isChosen = (update: DependencyUpdate) =>
    dependencies.some(({ name, manifest }) => name === update.name && manifest === update.manifest);
  const body = {
    updates: findUpdatedDependencies(edits)?.updates.filter(isChosen) ?? [],
    left: leftDependencies,
    ...{ edits, lock: lockChanges },
    fixes: old && current ? removeKnownAdvisories(old, current) : null,
    introduces: old && current ? removeKnownAdvisories(current, old) : null,
    refusal: await explainEarlierRefusal(context, edits),
    install: describeInstallations(installs),
  };
  const hash = sha256(canonicalJson([edits, installs.map((install) => install?.plan.hash ?? null)])).slice(0, 16);
  return { draft: { hash, ...body }, installs, request };
}

/**
 * Determines the versions of the requested dependencies: a requested range or tag is replaced by the version that the
 * registry has for it. Throws `unavailable` if there is none.
 */
async function resolveVersions(
  scratch: LookUpScratch,
  requested: readonly RequestedDependency[],
  operation: Operation,
): Promise<readonly ChosenUpdate[]> {
  const requestedRanges = requested.filter(({ version }) => !EXACT_VERSION.test(version));
  const askedSpec = ({ dependency: { name, spec }, version }: RequestedDependency) => ({
    name,
    spec: createPinnedSpec(spec, version),
  });
  const answers =
    requestedRanges.length === 0 ? new Map() : await fetchVersions(scratch, requestedRanges.map(askedSpec), operation);
  return requested.map(({ dependency, version }) => {
    if (EXACT_VERSION.test(version)) return { dependency, version };
    const { name, spec } = askedSpec({ dependency, version });
    const answer: KnownVersions | UnknownPart | undefined = answers.get(`${name} ${spec}`);
    if (answer !== undefined && 'wanted' in answer) return { dependency, version: answer.wanted };
    throw new SelfwareError('unavailable', answer?.reason ?? `The registry has no ${name}@${version}.`, {
      action: answer?.action ?? '`selfware outdated` lists the versions.',
    });
  });
}

/**
 * Chooses all dependencies with a newer version that is not a major update. `left`: the other ones, each with the
 * reason why it is not updated.
 */
async function chooseCompatible(
  scratch: LookUpScratch,
  operation: Operation,
): Promise<{ readonly chosen: readonly ChosenUpdate[]; readonly left: readonly LeftDependency[] }> {
  const ranges = new Map(
    scratch.dependencies.map((dependency) => {
      const reason = explainUnasked(dependency, scratch.leftOut);
      return [dependency, reason === null ? findCompatibleRange(dependency) : { left: reason.reason }] as const;
    }),
  );
  const named = [...ranges].flatMap(([{ name }, spec]) => (typeof spec === 'string' ? [{ name, spec }] : []));
  const answers = await fetchVersions(scratch, named, operation);
  const chosenUpdates: ChosenUpdate[] = [];
  const left: LeftDependency[] = [];
  for (const [dependency, range] of ranges) {
    const answer = typeof range === 'string' ? answers.get(`${dependency.name} ${range}`) : undefined;
    const choice = answer === undefined ? null : chooseUpdate(dependency, answer);
    if (choice?.chosen) chosenUpdates.push(choice.chosen);
    const reason = choice?.left ?? (typeof range === 'string' ? null : range.left);
    if (reason !== null) left.push(createLeftDependency(dependency, reason));
  }
  return { chosen: chosenUpdates, left };
}

/** The entry about a dependency that is not updated. */
function createLeftDependency({ name, manifest }: DirectDependency, reason: string): LeftDependency {
  return { name, manifest, reason };
}

/** The error that nothing can be updated, with the reasons. */
function explainNoUpdate(left: readonly LeftDependency[]): SelfwareError {
  const reasons = left.slice(0, MAX_REASONS).map(({ name, reason }) => ` ${name}: ${reason}`);
  return new SelfwareError('usage', `There is no minor or patch update.${reasons.join('')}`, {
    action: '`selfware outdated` lists all updates.',
  });
}

/** The advisories of these dependencies and of the packages that they bring along; null if they are unknown. */
function advisoriesOf(
  dependencies: readonly DirectDependency[],
  audit: Awaited<ReturnType<typeof runAudit>>,
  lockText: string,
): readonly Advisory[] | null {
  if (!('report' in audit)) return null;
  const entries = readLockEntries(lockText);
  const places = dependencies.map((dependency) => findReachedPlaces(dependency, entries));
  if (places.some(({ place }) => !entries.has(place))) return null;
  return dependencies.flatMap((dependency, index) =>
    findAdvisories(audit.report, getRegistryName(dependency), places[index]!),
  );
}

/**
 * Installs the packages of both sides, unless they are already installed. Throws `unavailable` if an installation
 * fails, `forbidden` if people no longer agree to ask the registries, and `cancelled`.
 */
export async function installBothSides(
  context: SessionContext,
  { installs }: Pick<MadeUpdate, 'installs'>,
  operation: Operation,
): Promise<void> {
  const packages = requirePackages(context);
  for (const install of installs) {
    if (install?.order == null) continue;
    if ((await packages.find(install.order.name)) !== null) continue;
    requireAgreedHosts(await planLookUp(context, operation.signal));
    const result = await packages.install(install.order, operation);
    if (result.kept !== null) continue;
    const { what, action } = describeFailure(result);
    throw new SelfwareError('unavailable', `An installation failed: ${what}`, { action });
  }
}

/** The reason why these edits were turned down before, with the date; null if they were not. */
export async function explainEarlierRefusal(
  { ledger }: Pick<SessionContext, 'ledger'>,
  edits: readonly FileEdit[],
): Promise<string | null> {
  const refusal = await ledger.refusalOf(edits);
  return refusal && `${refusalSentence(refusal)} That was on ${formatMoment(refusal.at)}.`;
}

/** By path: the content of each edited file on one side, as bytes; null if the file does not exist on that side. */
export function changedBytes(edits: readonly FileEdit[], side: 'before' | 'after' = 'after'): ChangedFiles {
  const encoder = new TextEncoder();
  return new Map(
    edits.map((edit) => {
      const text = edit[side];
      return [edit.path, text === null ? null : encoder.encode(text)];
    }),
  );
}

/** A dependency with the version, range or tag that a person has requested. */
interface RequestedDependency {
  readonly dependency: DirectDependency;
  readonly version: string;
}

/**
 * The dependencies that a person names. Throws `usage` for a dependency that no manifest declares and for an unusable
 * version, and `unavailable` for a dependency that no registry is asked about.
 */
function findRequested(
  { dependencies, leftOut }: LookUpPlan,
  packages: readonly UpdateTarget[],
): readonly RequestedDependency[] {
  return packages.map(({ name, version, manifest }) => {
    const dependency = dependencies.find(
      (candidate) => candidate.name === name && (manifest === undefined || candidate.manifest === manifest),
    );
    if (dependency === undefined)
      throw new SelfwareError('usage', `No package.json here asks for ${name} from a registry.`, {
        action: '`selfware outdated` lists the direct dependencies.',
      });
    const reason = explainUnasked(dependency, leftOut);
    if (reason !== null) throw new SelfwareError('unavailable', reason.reason, { action: reason.action });
    if (!VERSION_PATTERN.test(version))
      throw new SelfwareError('usage', `${JSON.stringify(version)} is not a version, a range or a tag.`, {
        action: `Name one, such as ${name}@latest or ${name}@1.2.3.`,
      });
    return { dependency, version };
  });
}

/** The path of the lock file. Throws `unavailable` if there is no lock file of npm, or if its format is too old. */
function requireUpdatableLock({ lock, manager }: LookUpPlan, lockText: string | null): string {
  if (lock === null)
    throw new SelfwareError(
      'unavailable',
      manager === 'npm' || manager === null
        ? 'Without a package-lock.json, nobody knows what an update changes.'
        : `Selfware updates npm's lock files only, and this repository uses ${manager}.`,
      { action: manager === 'npm' ? 'Run `npm install`, and commit the file.' : `Update with ${manager}.` },
    );
  if (!isRecord(parseManifestTable(lockText ?? '')?.['packages']))
    throw new SelfwareError('unavailable', `${lock} has format 1, and Selfware updates formats 2 and 3 only.`, {
      action: 'Run `npm install --package-lock-only --ignore-scripts` with npm 7 or newer, and commit the file.',
    });
  return lock;
}

/** Plans the installations without the update and with it; null for a side whose packages are already installed. */
export async function planInstallations(
  context: SessionContext,
  edits: readonly FileEdit[],
  scripts: readonly string[],
  signal: AbortSignal,
): Promise<readonly (PlannedSetup | null)[]> {
  const packages = requirePackages(context);
  const allow = { ...NOTHING_ALLOWED, scripts };
  const sides: readonly ChangedFiles[] = [new Map(), changedBytes(edits)];
  const installs: (PlannedSetup | null)[] = [];
  for (const changed of sides) {
    const fitting: PackageTree | 'none' | null = await packages.findFitting(changed, signal);
    installs.push(fitting === null ? await planForFiles(context, allow, signal, changed) : null);
  }
  return installs;
}

/** The text of the installations for a person; null if nothing is installed. */
function describeInstallations(installs: readonly (PlannedSetup | null)[]): string | null {
  const [base = null, head = null] = installs;
  const shownInstall = head ?? base;
  if (shownInstall === null) return null;
  const note =
    base !== null && head !== null
      ? '\nThe same is done once for the packages without the update, so that both sides can be compared.'
      : '';
  return `${shownInstall.plan.text}${note}`;
}

/** The advisories that are not among the other advisories. */
function removeKnownAdvisories(
  advisories: readonly Advisory[],
  otherAdvisories: readonly Advisory[],
): readonly Advisory[] {
  const key = ({ url, title, range }: Advisory) => `${url} ${title} ${range}`;
  const knownKeys = new Set(otherAdvisories.map(key));
  return advisories.filter((advisory) => !knownKeys.has(key(advisory)));
}
