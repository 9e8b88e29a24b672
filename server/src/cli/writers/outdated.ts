// Formats texts about dependencies for a terminal: the plan of a look-up, the list of outdated dependencies, the draft
// of an update, and the updates that do not pass.

import type { Colors } from '../../adapters/system/terminal.ts';
import { plainReason } from '../../protocol/plainWords.ts';
import type {
  CheckedDependency,
  Culprit,
  LeftDependency,
  LookUpPlan,
  OutdatedReport,
  UpdateDraft,
} from '../../core/model/dependencies.ts';
import { formatUnifiedDiff } from '../../core/propose/unifiedDiff.ts';
import { createUpdateTitle, formatUpdateLine } from '../../core/setup/updates/describeUpdate.ts';
import { hasMinorUpdate } from '../../core/setup/updates/compatibleUpdates.ts';
import { formatCount } from '../../util/counted.ts';
import { escapeInvisible, escapeInvisibleLine } from '../../util/visible.ts';
import { colorDiff } from './human.ts';

/** Maximum number of packages of a lock file that are named. */
const MAX_PACKAGES = 12;
/** The titles of the columns in the table of dependencies. */
const HEADER = ['package', 'current', 'wanted', 'latest', 'update'] as const;

/** The plan of a look-up: what is asked of which hosts. */
export function formatLookUpPlan({ dependencies, hosts, sends, leftOut, unasked, unknown }: LookUpPlan): string {
  if (dependencies.length === 0) return 'No package.json asks for a package from a registry, so nothing is asked.';
  const lines = [
    `npm asks ${hosts.join(', ')} about ${formatCount(dependencies.length, 'dependency', 'dependencies')}.`,
    `Sent: ${sends}, and a token if the .npmrc of the repository holds one for that host. Nothing else.`,
    'It runs in a scratch copy, without scripts, and reaches these hosts only.',
    ...(leftOut.length === 0
      ? []
      : [
          `Nothing is asked about packages from another host: ${leftOut.map(({ name, host }) => `${name} (${host})`).join(', ')}.`,
        ]),
    unasked.length === 0 ? 'You have agreed to that.' : `Nobody has agreed yet to: ${unasked.join(', ')}.`,
    ...unknown.map(({ reason, action }) => `${reason} ${action}`),
  ];
  return escapeInvisible(lines.join('\n'));
}

/** The dependencies with an update or an advisory, and what is unknown. */
export function formatOutdated({ dependencies, others, unknown, lock }: OutdatedReport, colors: Colors): string {
  const isOutdatedOrVulnerable = ({ update, advisories }: CheckedDependency) =>
    (advisories?.length ?? 0) > 0 || !['none', 'unknown'].includes(update);
  const dependenciesWithUnknown = dependencies.filter(
    (dependency) => dependency.unknown !== null && !unknown.some(({ reason }) => reason === dependency.unknown?.reason),
  );
  const dependenciesWithoutCurrent = dependencies.filter(({ current, latest }) => current === null && latest !== null);
  const rows = [
    ...dependencies.filter(isOutdatedOrVulnerable),
    ...dependenciesWithoutCurrent.filter((dependency) => !isOutdatedOrVulnerable(dependency)),
  ];
  const currentCount = dependencies.filter(({ update }) => update === 'none').length;
  return escapeInvisible(
    [
      ...formatTable(rows, colors),
      ...(rows.length === 0 && dependencies.length > 0 && currentCount === dependencies.length
        ? [`All ${formatCount(dependencies.length, 'dependency', 'dependencies')} are at their latest version.`]
        : []),
      ...(dependencies.length === 0 ? ['No package.json asks for a package from a registry.'] : []),
      ...(lock !== null && dependencies.some(({ advisories }) => advisories !== null)
        ? [describeAdvisoryCount(dependencies, others.length > 0)]
        : []),
      ...(others.length > 0
        ? ['Packages that no direct dependency is known to bring along:', ...formatAdvisories('', others)]
        : []),
      ...[...unknown, ...dependenciesWithUnknown.map((dependency) => dependency.unknown!)].map(
        ({ reason, action }) => `unknown: ${reason} ${action}`,
      ),
      ...(rows.length > 0 && lock !== null
        ? ['To try one: selfware outdated --update NAME[@VERSION]', ...formatGroupHint(rows)]
        : []),
    ].join('\n'),
  );
}

/** The updates that do not pass, each with the reason. */
export function formatCulprits(culprits: readonly Culprit[]): readonly string[] {
  if (culprits.length === 0) return [];
  return [
    culprits.length === 1 ? 'This update does not pass:' : 'These updates do not pass:',
    ...culprits.map(({ update, reason }) => `  ${formatUpdateLine(update)}: ${plainReason(reason)}`),
  ].map(escapeInvisible);
}

/** The draft of an update: its diff, the changes in the lock file, and what would be installed. */
export function formatDraft(draft: UpdateDraft, colors: Colors): string {
  const { updates, left, edits, lock, fixes, introduces, install } = draft;
  const manifestEdits = edits.filter(({ path }) => path.endsWith('package.json'));
  const lockPath = edits.find(({ path }) => !path.endsWith('package.json'))?.path ?? '';
  const lockLines = [
    ...lock.changed.map(({ place, before: versionBefore, version }) => `  ${place} ${versionBefore} → ${version}`),
    ...lock.added.map(({ place, version }) => `  + ${place} ${version}`),
    ...lock.removed.map(({ place, version }) => `  - ${place} ${version}`),
  ];
  const omittedCount = lockLines.length - MAX_PACKAGES;
  return escapeInvisible(
    [
      colors.bold(createUpdateTitle(updates)),
      ...(updates.length === 1 ? [] : updates.map((update) => `  ${formatUpdateLine(update)}`)),
      manifestEdits.length === 0
        ? 'package.json allows it already.'
        : colorDiff(formatUnifiedDiff(manifestEdits), colors),
      `${lockPath}: ${lock.changed.length} changed, ${lock.added.length} added, ${lock.removed.length} removed`,
      ...lockLines.slice(0, MAX_PACKAGES),
      ...(omittedCount > 0 ? [`  and ${omittedCount} more`] : []),
      ...lock.altered.map(({ place, fields }) => `  ${place}, same version, gains ${fields.join(', ')}`),
      ...(lock.withScripts.length > 0 ? [`Install scripts of new versions: ${lock.withScripts.join(', ')}`] : []),
      ...formatAdvisories('fixes', fixes),
      ...formatAdvisories('brings along', introduces),
      ...(left.length === 0 ? [] : ['Left as they are:', ...left.map(formatLeftDependency)]),
      ...(updates.length === 1
        ? []
        : ['If they fail together, parts of them are installed and checked in the same way.']),
      ...(install === null ? ['The packages of both sides are kept already, so nothing is installed.'] : ['', install]),
    ].join('\n'),
  );
}

function formatLeftDependency({ name, manifest, reason }: LeftDependency): string {
  return escapeInvisibleLine(`  ${name}${manifest === 'package.json' ? '' : ` (${manifest})`}: ${reason}`);
}

/** The dependencies as a table, each with its advisories below. */
function formatTable(dependencies: readonly CheckedDependency[], colors: Colors): readonly string[] {
  if (dependencies.length === 0) return [];
  const rows = dependencies.map(({ name, manifest, current, wanted, latest, update }) =>
    [
      manifest === 'package.json' ? name : `${name} (${manifest})`,
      current ?? 'unknown',
      wanted ?? 'unknown',
      latest ?? 'unknown',
      update === 'none' ? '' : update,
    ].map(escapeInvisibleLine),
  );
  const widths = HEADER.map((title, column) => Math.max(title.length, ...rows.map((row) => row[column]!.length)));
  const formatLine = (cells: readonly string[]) =>
    cells
      .map((cell, column) => cell.padEnd(widths[column]!))
      .join('  ')
      .trimEnd();
  return [
    colors.dim(formatLine(HEADER)),
    ...dependencies.flatMap(({ advisories }, index) => [formatLine(rows[index]!), ...formatAdvisories('', advisories)]),
  ];
}

/** A line for each advisory. `label`: words before it. */
function formatAdvisories(label: string, advisories: CheckedDependency['advisories']): readonly string[] {
  return (advisories ?? []).map(({ severity, title, url, fixed, through }) =>
    escapeInvisibleLine(
      `  ${label === '' ? '' : `${label} `}${severity}: ${title}${through === null ? '' : ` (in ${through})`}` +
        `${fixed === null ? '' : `, fixed in ${through === null ? '' : `${through} `}${fixed}`}${url === null ? '' : ` ${url}`}`,
    ),
  );
}

/** The advice to try all minor and patch updates as one, if there are at least two. */
function formatGroupHint(rows: readonly CheckedDependency[]): readonly string[] {
  const count = rows.filter(hasMinorUpdate).length;
  return count < 2 ? [] : ['To try all minor and patch updates as one: selfware outdated --update-minor'];
}

function describeAdvisoryCount(dependencies: readonly CheckedDependency[], hasOthers: boolean): string {
  const count = dependencies.filter(({ advisories }) => (advisories?.length ?? 0) > 0).length;
  if (count === 0 && hasOthers) return 'No advisory is known for the direct dependencies.';
  return count === 0
    ? 'No advisory is known for them.'
    : `Advisories are known for ${formatCount(count, 'dependency', 'dependencies')}.`;
}
