// Makes the update of a dependency that a person has asked for by name, and installs the packages of both sides.

import { posix } from 'node:path';
import { canonicalJson } from '../../../util/canonicalJson.ts';
import { sha256 } from '../../../util/hash.ts';
import { SelfwareError } from '../../../util/typedError.ts';
import type { Advisory, DirectDependency, UpdateDraft, UpdateRequest } from '../../model/dependencies.ts';
import { findUpdatedDependency } from '../../model/updatedDependency.ts';
import type { FileEdit } from '../../model.ts';
import type { Operation } from '../../operation.ts';
import type { NetworkScratch, PackageTree } from '../../ports/packages.ts';
import type { ChangedFiles } from '../../ports/sandbox.ts';
import { describeFailure } from '../../setup/installFailure.ts';
import { NOTHING_ALLOWED, type PlannedSetup } from '../../setup/plan.ts';
import { findAdvisories } from '../../setup/updates/advisories.ts';
import { compareLocks } from '../../setup/updates/lockChanges.ts';
import { readErrorCode } from '../../setup/updates/lookUps.ts';
import type { SessionContext } from '../context.ts';
import { readTextOrNull } from '../search/packing.ts';
import { askAudit, lockedPlaces, planLookUp, registryName, requireAgreed } from './outdated.ts';
import { planForFiles, requirePackages } from './planning.ts';

/** A version, a range or a tag, as one plain word of a command line. */
const VERSION_PATTERN = /^[\w^~*][\w.^~*+-]{0,100}$/;

/** A draft, and the installations that it needs. */
export interface MadeUpdate {
  readonly draft: UpdateDraft;
  /** The installation without the update, and with it; null if its packages are kept already. */
  readonly installs: readonly (PlannedSetup | null)[];
  readonly scripts: readonly string[];
}

/** Makes the edits of an update in a scratch copy, and plans the installations. Throws the errors of `draft`. */
export async function draftUpdate(
  context: SessionContext,
  request: UpdateRequest,
  operation: Operation,
): Promise<MadeUpdate> {
  const { signal } = operation;
  const plan = await planLookUp(context, signal);
  requireAgreed(plan);
  const { dependency, lock } = requireUpdatable(plan, request);
  // Only hosts that the person has agreed to: no package is downloaded here.
  await using scratch = await requirePackages(context).openScratch(plan.hosts, signal);
  const before = await askAudit(scratch, plan.hosts, operation);
  await writeUpdate(scratch, dependency, request, operation);
  const edits: FileEdit[] = [];
  for (const path of [dependency.manifest, lock]) {
    const [old, bytes] = [await readTextOrNull(context, path), await scratch.read(path)];
    if (old === null || bytes === null)
      throw new SelfwareError('unreadable', `${path} cannot be read.`, { action: 'Repair it, then run it again.' });
    const text = new TextDecoder('utf-8', { ignoreBOM: true }).decode(bytes);
    if (old !== text) edits.push({ path, before: old, after: text });
  }
  const lockEdit = edits.find(({ path }) => path === lock);
  const name = dependency.name;
  if (lockEdit === undefined || lockEdit.before === null || lockEdit.after === null)
    throw new SelfwareError(
      'usage',
      `There is nothing to update: ${name} is at ${dependency.current ?? 'its version'}.`,
    );
  if (findUpdatedDependency(edits) === null)
    throw new SelfwareError('usage', `npm changes more than the entry of ${name}, so nothing is proposed.`, {
      action: `Run \`npm install --package-lock-only --ignore-scripts\`, commit the result, then run it again.`,
    });
  const after = 'report' in before ? await askAudit(scratch, plan.hosts, operation) : before;
  const advisories = [before, after].map((answer) =>
    'report' in answer ? findAdvisories(answer.report, registryName(dependency), lockedPlaces(dependency)) : null,
  );
  const [old, current] = advisories;
  const installs = await planInstallations(context, edits, request.scripts, signal);
  const body = {
    name,
    before: dependency.current,
    after: readLockedVersion(lockEdit.after, dependency) ?? request.version,
    edits,
    lock: compareLocks(lockEdit.before, lockEdit.after, plan.hosts),
    fixes: old && current ? subtract(old, current) : null,
    introduces: old && current ? subtract(current, old) : null,
    install: describeInstallations(installs),
  };
  const hash = sha256(canonicalJson([edits, installs.map((install) => install?.plan.hash ?? null)])).slice(0, 16);
  return { draft: { hash, ...body }, installs, scripts: request.scripts };
}

/** Installs the packages of both sides, unless they are kept. Throws `unavailable` if an installation fails. */
export async function installBothSides(
  context: SessionContext,
  { installs }: MadeUpdate,
  operation: Operation,
): Promise<void> {
  const packages = requirePackages(context);
  for (const install of installs) {
    if (install?.order == null) continue;
    if ((await packages.find(install.order.name)) !== null) continue;
    const result = await packages.install(install.order, operation);
    if (result.kept !== null) continue;
    const { what, action } = describeFailure(result);
    throw new SelfwareError('unavailable', `An installation failed: ${what}`, { action });
  }
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
  { dependencies, lock, manager }: Awaited<ReturnType<typeof planLookUp>>,
  { name, version }: UpdateRequest,
): { readonly dependency: DirectDependency; readonly lock: string } {
  const dependency = dependencies.find((candidate) => candidate.name === name);
  if (dependency === undefined)
    throw new SelfwareError('usage', `No package.json here asks for ${name} from a registry.`, {
      action: '`selfware outdated` lists the direct dependencies.',
    });
  if (lock === null)
    throw new SelfwareError(
      'unavailable',
      manager === 'npm' || manager === null
        ? 'Without a package-lock.json, nobody knows what an update changes.'
        : `Selfware updates npm's lock files only, and this repository uses ${manager}.`,
      { action: manager === 'npm' ? 'Run `npm install`, and commit the file.' : `Update ${name} with ${manager}.` },
    );
  if (!VERSION_PATTERN.test(version))
    throw new SelfwareError('usage', `${JSON.stringify(version)} is not a version, a range or a tag.`, {
      action: `Name one, such as ${name}@latest or ${name}@1.2.3.`,
    });
  return { dependency, lock };
}

/** Lets npm write the manifest and the lock file. Nothing is installed, and no script runs. */
async function writeUpdate(
  scratch: NetworkScratch,
  dependency: DirectDependency,
  { version }: UpdateRequest,
  operation: Operation,
): Promise<void> {
  const { name, manifest, spec } = dependency;
  const folder = posix.dirname(manifest);
  const alias = registryName(dependency) === name ? '' : `npm:${registryName(dependency)}@`;
  const command = [
    ...['npm', 'install', `${name}@${alias}${version}`, '--package-lock-only', '--ignore-scripts'],
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

/** The options with which npm writes a range as the old one was written: exact, with `~`, otherwise with `^`. */
function chooseStyle(spec: string): readonly string[] {
  const range = spec.replace(/^npm:.*@/, '');
  if (/^=?v?\d+\.\d+\.\d+/.test(range) && !/\s/.test(range)) return ['--save-exact'];
  return range.startsWith('~') ? ['--save-prefix=~'] : ['--save-prefix=^'];
}

/** The installations of both sides; null for one whose packages are kept. */
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
  const shown = head ?? base;
  if (shown === null) return null;
  const note =
    base !== null && head !== null
      ? '\nThe same is done once for the packages without the update, so that both sides can be compared.'
      : '';
  return `${shown.plan.text}${note}`;
}

function readLockedVersion(lock: string, dependency: DirectDependency): string | null {
  const { packages } = JSON.parse(lock) as { packages?: Record<string, { version?: string } | undefined> };
  const versions = lockedPlaces(dependency)
    .toReversed()
    .map((place) => packages?.[place]?.version);
  return versions.find((version) => version !== undefined) ?? null;
}

function subtract(advisories: readonly Advisory[], others: readonly Advisory[]): readonly Advisory[] {
  const key = ({ url, title, range }: Advisory) => `${url} ${title} ${range}`;
  const known = new Set(others.map(key));
  return advisories.filter((advisory) => !known.has(key(advisory)));
}
