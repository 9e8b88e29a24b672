// Creates the update of a dependency that a person has asked for by name, and installs the packages of both sides.

import { posix } from 'node:path';
import { canonicalJson } from '../../../util/canonicalJson.ts';
import { sha256 } from '../../../util/hash.ts';
import { SelfwareError } from '../../../util/typedError.ts';
import { isRecord } from '../../../util/values/isRecord.ts';
import type {
  Advisory,
  DirectDependency,
  LockChanges,
  LookUpPlan,
  UpdateDraft,
  UpdateRequest,
} from '../../model/dependencies.ts';
import { readLockEntries } from '../../model/lockEntries.ts';
import { parseManifestTable } from '../../model/removedDependency.ts';
import { formatMoment, refusalSentence } from '../../model/skippedPlaces.ts';
import { findUpdatedDependency, replaceRange } from '../../model/updatedDependency.ts';
import type { FileEdit } from '../../model.ts';
import type { Operation } from '../../operation.ts';
import type { PackageTree } from '../../ports/packages.ts';
import type { ChangedFiles } from '../../ports/sandbox.ts';
import { describeFailure } from '../../setup/installFailure.ts';
import { NOTHING_ALLOWED, type PlannedSetup } from '../../setup/plan.ts';
import { findAdvisories } from '../../setup/updates/advisories.ts';
import { compareLocks } from '../../setup/updates/lockChanges.ts';
import { readErrorCode } from '../../setup/updates/lookUps.ts';
import { NO_PROGRAMS } from '../../setup/updates/npmSettings.ts';
import { asObject } from '../../setup/manifest.ts';
import type { SessionContext } from '../context.ts';
import { readTextOrNull } from '../search/packing.ts';
import { findReasonNotToAsk, planLookUp, readDependencyFiles, registryName, requireAgreed } from './lookUpPlan.ts';
import { runAudit, openLookUp, placesOf, type LookUpScratch } from './outdated.ts';
import { planForFiles, requirePackages } from './planning.ts';

/** A version, a range or a tag, as one plain word of a command line. */
const VERSION_PATTERN = /^[\w^~*][\w.^~*+-]{0,100}$/;

/** A draft, and the installations that it needs. */
export interface MadeUpdate {
  readonly draft: UpdateDraft;
  /** The installations without the update and with it; null for one whose packages are already installed. */
  readonly installs: readonly (PlannedSetup | null)[];
  readonly scripts: readonly string[];
}

/** Creates the edits of an update in a scratch copy, and plans the installations. Throws the errors of `draft`. */
export async function draftUpdate(
  context: SessionContext,
  request: UpdateRequest,
  operation: Operation,
): Promise<MadeUpdate> {
  const { signal } = operation;
  const plan = await planLookUp(context, signal);
  requireAgreed(plan);
  const { files } = await readDependencyFiles(context, signal);
  const { dependency, lock } = requireUpdatable(plan, request, plan.lock === null ? null : files.text(plan.lock));
  // Reaches only hosts that the person has agreed to, because no package is downloaded here.
  await using scratch = await openLookUp(context, plan, signal);
  const before = await runAudit(scratch, operation);
  await writeUpdate(scratch, dependency, request, operation);
  const edits = await readEdits(context, scratch, dependency, lock);
  const lockEdit = edits.find(({ path }) => path === lock);
  const name = dependency.name;
  if (lockEdit === undefined || lockEdit.before === null || lockEdit.after === null)
    throw new SelfwareError(
      'usage',
      `There is nothing to update: ${name} is at ${dependency.current ?? 'its version'}.`,
    );
  const lockChanges = compareLocks(lockEdit.before, lockEdit.after, plan.hosts);
  requireOnlyUpdate(name, lockChanges);
  if (findUpdatedDependency(edits) === null)
    throw new SelfwareError('usage', `npm changes more than the entry of ${name}, so nothing is proposed.`, {
      action: `Run \`npm install --package-lock-only --ignore-scripts\`, commit the result, then run it again.`,
    });
  const after = 'report' in before ? await runAudit(scratch, operation) : before;
  const [old, current] = [before, after].map((answer, index) => {
    const entries = readLockEntries((index === 0 ? lockEdit.before : lockEdit.after) ?? '');
    const places = placesOf(dependency, entries);
    return 'report' in answer && entries.has(places.place)
      ? findAdvisories(answer.report, registryName(dependency), places)
      : null;
  });
  const installs = await planInstallations(context, edits, request.scripts, signal);
  const body = {
    name,
    before: dependency.current,
    after: readLockedVersion(lockEdit.after, dependency) ?? request.version,
    edits,
    lock: lockChanges,
    fixes: old && current ? subtract(old, current) : null,
    introduces: old && current ? subtract(current, old) : null,
    refusal: await explainEarlierRefusal(context, edits),
    install: describeInstallations(installs),
  };
  const hash = sha256(canonicalJson([edits, installs.map((install) => install?.plan.hash ?? null)])).slice(0, 16);
  return { draft: { hash, ...body }, installs, scripts: request.scripts };
}

/**
 * The edits that an update makes. Only the range is taken from the manifest that npm has written, because npm also
 * sorts entries and changes the layout.
 */
async function readEdits(
  context: SessionContext,
  scratch: LookUpScratch,
  { name, manifest, table }: DirectDependency,
  lock: string,
): Promise<readonly FileEdit[]> {
  const readSides = async (path: string) => {
    const [old, bytes] = [await readTextOrNull(context, path), await scratch.read(path)];
    if (old === null || bytes === null)
      throw new SelfwareError('unreadable', `${path} cannot be read.`, { action: 'Repair it, then run it again.' });
    return { old, text: new TextDecoder('utf-8', { ignoreBOM: true }).decode(bytes) };
  };
  const [manifestSides, lockSides] = [await readSides(manifest), await readSides(lock)];
  const range = asObject(parseManifestTable(manifestSides.text)?.[table])[name];
  const after = typeof range === 'string' ? replaceRange(manifestSides.old, table, name, range) : null;
  if (after === null)
    throw new SelfwareError('usage', `${manifest} has no single entry of ${name} that can be replaced.`, {
      action: 'Leave one entry of it, in one table, then run it again.',
    });
  return [
    { path: manifest, before: manifestSides.old, after },
    { path: lock, before: lockSides.old, after: lockSides.text },
  ].filter((edit) => edit.before !== edit.after);
}

/** Throws `usage` if a lock file changes packages in a way that an update does not explain. */
export function requireOnlyUpdate(name: string, { altered, newHosts }: LockChanges): void {
  const [unexplained] = altered.filter(({ isGain }) => !isGain);
  if (unexplained !== undefined)
    throw new SelfwareError(
      'usage',
      `The update of ${name} changes ${unexplained.fields.join(', ')} of ${unexplained.place} in the lock file, whose version stays the same, so nothing is proposed.`,
      { action: 'Find out why with `npm install --package-lock-only --ignore-scripts` and `git diff`.' },
    );
  if (newHosts.length > 0)
    throw new SelfwareError(
      'usage',
      `The update of ${name} takes packages from where none comes from so far (${newHosts.join(', ')}), so nothing is proposed.`,
      { action: `If you trust that, run \`npm install ${name}\` yourself.` },
    );
}

/**
 * Installs the packages of both sides, unless they are already installed. Throws `unavailable` if an installation
 * fails, and `forbidden` if people no longer agree to ask the registries.
 */
export async function installBothSides(
  context: SessionContext,
  { installs }: MadeUpdate,
  operation: Operation,
): Promise<void> {
  const packages = requirePackages(context);
  for (const install of installs) {
    if (install?.order == null) continue;
    if ((await packages.find(install.order.name)) !== null) continue;
    requireAgreed(await planLookUp(context, operation.signal));
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

/** The files that the edits write, as bytes. */
export function changedBytes(edits: readonly FileEdit[], side: 'before' | 'after' = 'after'): ChangedFiles {
  const encoder = new TextEncoder();
  return new Map(
    edits.map((edit) => {
      const text = edit[side];
      return [edit.path, text === null ? null : encoder.encode(text)];
    }),
  );
}

function requireUpdatable(
  { dependencies, lock, manager, leftOut }: LookUpPlan,
  { name, version, manifest }: UpdateRequest,
  lockText: string | null,
): { readonly dependency: DirectDependency; readonly lock: string } {
  const dependency = dependencies.find(
    (candidate) => candidate.name === name && (manifest === undefined || candidate.manifest === manifest),
  );
  if (dependency === undefined)
    throw new SelfwareError('usage', `No package.json here asks for ${name} from a registry.`, {
      action: '`selfware outdated` lists the direct dependencies.',
    });
  const reason = findReasonNotToAsk(dependency, leftOut);
  if (reason !== null) throw new SelfwareError('unavailable', reason.reason, { action: reason.action });
  if (lock === null)
    throw new SelfwareError(
      'unavailable',
      manager === 'npm' || manager === null
        ? 'Without a package-lock.json, nobody knows what an update changes.'
        : `Selfware updates npm's lock files only, and this repository uses ${manager}.`,
      { action: manager === 'npm' ? 'Run `npm install`, and commit the file.' : `Update ${name} with ${manager}.` },
    );
  if (!isRecord(parseManifestTable(lockText ?? '')?.['packages']))
    throw new SelfwareError('unavailable', `${lock} has format 1, and Selfware updates formats 2 and 3 only.`, {
      action: 'Run `npm install --package-lock-only --ignore-scripts` with npm 7 or newer, and commit the file.',
    });
  if (!VERSION_PATTERN.test(version))
    throw new SelfwareError('usage', `${JSON.stringify(version)} is not a version, a range or a tag.`, {
      action: `Name one, such as ${name}@latest or ${name}@1.2.3.`,
    });
  return { dependency, lock };
}

/** Lets npm write the manifest and the lock file. Nothing is installed, and no script runs. */
async function writeUpdate(
  scratch: LookUpScratch,
  dependency: DirectDependency,
  { version }: UpdateRequest,
  operation: Operation,
): Promise<void> {
  const { name, manifest, spec } = dependency;
  const folder = posix.dirname(manifest);
  const alias = registryName(dependency) === name ? '' : `npm:${registryName(dependency)}@`;
  const command = [
    ...['npm', 'install', `${name}@${alias}${version}`, '--package-lock-only', ...NO_PROGRAMS],
    ...['--no-audit', '--no-fund', '--json'],
    ...chooseStyle(spec),
    ...(folder === '.' ? [] : ['--workspace', folder]),
  ];
  const answer = await scratch.run({ command, env: { npm_config_ignore_scripts: 'true' }, network: true }, operation);
  if (answer.outcome === 'exited' && answer.exitCode === 0) return;
  const code = readErrorCode(answer);
  if (code === 'ERESOLVE')
    throw new SelfwareError('usage', `${name}@${version} does not fit what other packages ask for (ERESOLVE).`, {
      action: 'Update those packages first: `npm install` names them.',
    });
  if (code === 'ETARGET' || code === 'E404')
    throw new SelfwareError('usage', `The registry has no ${name}@${version}.`, {
      action: '`selfware outdated` lists the versions.',
    });
  throw new SelfwareError('unavailable', `npm could not make the update${code === null ? '' : ` (${code})`}.`, {
    action: 'Run `selfware outdated`: it says what the registry answers.',
  });
}

/**
 * The options with which npm writes a range in the style of the old one: exact, with `~` or with `^`. The settings of
 * the repository decide about other ranges, and their `save-exact` always applies.
 */
function chooseStyle(spec: string): readonly string[] {
  const range = spec.replace(/^npm:.*@/, '');
  if (/^=?v?\d+\.\d+\.\d+/.test(range) && !/\s/.test(range)) return ['--save-exact'];
  return range.startsWith('~') ? ['--save-prefix=~'] : range.startsWith('^') ? ['--save-prefix=^'] : [];
}

/** The installations of both sides; null for one whose packages are already installed. */
async function planInstallations(
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

function readLockedVersion(lock: string, dependency: DirectDependency): string | null {
  const entries = readLockEntries(lock);
  const version = entries.get(placesOf(dependency, entries).place)?.['version'];
  return typeof version === 'string' ? version : null;
}

function subtract(advisories: readonly Advisory[], otherAdvisories: readonly Advisory[]): readonly Advisory[] {
  const key = ({ url, title, range }: Advisory) => `${url} ${title} ${range}`;
  const knownKeys = new Set(otherAdvisories.map(key));
  return advisories.filter((advisory) => !knownKeys.has(key(advisory)));
}
