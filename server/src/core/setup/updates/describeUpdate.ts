// Creates the title and the rationale of a proposal that updates dependencies.

import { formatCount } from '../../../util/counted.ts';
import type { DependencyUpdate, UpdateDraft } from '../../model/dependencies.ts';

/** Maximum number of names in a title. */
const MAX_NAMES = 4;

/** The title of a proposal, such as `update a from 1.0.0 to 1.1.0`. */
export function createUpdateTitle(updates: readonly DependencyUpdate[]): string {
  const [firstUpdate] = updates;
  if (firstUpdate !== undefined && updates.length === 1)
    return `update ${firstUpdate.name} ${firstUpdate.before === null ? '' : `from ${firstUpdate.before} `}to ${firstUpdate.after}`;
  const updatedNames = [...new Set(updates.map(({ name }) => name))];
  const omittedCount = updatedNames.length - MAX_NAMES;
  return `update ${formatCount(updatedNames.length, 'dependency', 'dependencies')}: ${updatedNames.slice(0, MAX_NAMES).join(', ')}${omittedCount > 0 ? ` and ${omittedCount} more` : ''}`;
}

/** One dependency with its versions and its range, on one line. */
export function formatUpdateLine({ name, manifest, range, before, after }: DependencyUpdate): string {
  const place = manifest === 'package.json' ? '' : ` in ${manifest}`;
  const rangeText = range.before === range.after ? `${range.after} allows it` : `${range.before} → ${range.after}`;
  return `${name} ${before ?? 'unknown'} → ${after} (${rangeText})${place}`;
}

/** The rationale of the proposal: why it is made, and what it changes, in sentences. */
export function describeUpdate({ updates, fixes, introduces, lock, edits }: UpdateDraft): string {
  const { added, removed, changed, altered, withScripts } = lock;
  const packageChanges = [
    [formatCount(changed.length, 'package'), 'changed', changed],
    [formatCount(added.length, 'package'), 'added', added],
    [formatCount(removed.length, 'package'), 'removed', removed],
  ] as const;
  const counts = packageChanges.filter(([, , list]) => list.length > 0).map(([count, word]) => `${count} ${word}`);
  const formatAdvisories = (list: UpdateDraft['fixes']) =>
    (list ?? [])
      .map(({ severity, title, url }) => `${severity}: ${title}${url === null ? '' : ` (${url})`}`)
      .join('; ');
  const lockPath = edits.find(({ path }) => !path.endsWith('package.json'))?.path ?? 'the lock file';
  const alteredText = altered.map(({ place, fields }) => `${place} (${fields.join(', ')})`).join(', ');
  const reasons = [
    updates.length === 1 ? 'A person asked for it by name.' : 'A person asked for them as one change.',
    fixes === null
      ? 'Whether it fixes an advisory is unknown.'
      : fixes.length > 0
        ? `It fixes ${formatAdvisories(fixes)}.`
        : '',
    introduces !== null && introduces.length > 0 ? `It brings along ${formatAdvisories(introduces)}.` : '',
    `In ${lockPath}: ${counts.length > 0 ? counts.join(', ') : 'only ranges changed'}.`,
    altered.length > 0 ? `Entries of unchanged versions gain fields: ${alteredText}.` : '',
    withScripts.length > 0 ? `New install scripts, which do not run here: ${withScripts.join(', ')}.` : '',
    'After it is applied, run `npm ci` to install it in your own folder.',
  ].filter((sentence) => sentence !== '');
  return updates.length === 1
    ? reasons.join(' ')
    : `${updates.map(formatUpdateLine).join(';\n')}.\n${reasons.join(' ')}`;
}
