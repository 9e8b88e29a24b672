// Checks recorded changes of a night against the limits of a charter: how many changes each author may make, and how
// many a run may make.

import { AUTHOR_LABELS, type Author } from '../model/authors.ts';
import type { Allowances } from '../model/capabilities.ts';
import type { Millis } from '../model.ts';
import type { Run } from './nightTypes.ts';
import { formatCount } from '../../util/counted.ts';
import { HOUR_MS, DAY_MS } from '../../util/timing/durations.ts';

/** The limits to judge by; a field is null if the charter has no such limit. */
export interface ReplayLimits {
  readonly maxChanges: number | null;
  readonly allowances: Allowances | null;
}

/** A change that was made, or would be. */
export interface TimedChange {
  readonly author: Author;
  readonly at: Millis;
  /** The order of the run that made it, as the time at which the order began; absent if it is unknown. */
  readonly order?: Millis | undefined;
}

/** The order of a run, as the time at which the first run of the order began; undefined if no run has this id. */
export function findOrder(runs: readonly Pick<Run, 'id' | 'since'>[], runId: string | undefined): Millis | undefined {
  return runs.find(({ id }) => id === runId)?.since;
}

/** Counts the changes so far, and explains which limit the next one would exceed. */
export interface ChangeLimits {
  /** The reason why the limits would not let it be committed at its time, as a sentence; null if they would. */
  explain(change: TimedChange): string | null;
  /** Counts the change as committed. */
  add(change: TimedChange): void;
}

/**
 * Creates a fold that has counted `earlier`. `maxChanges` applies to the changes of one order. `earlier`: the changes
 * of other nights, which count for the rates, and for `maxChanges` if they belong to the same order.
 */
export function createChangeLimits(
  { maxChanges, allowances }: ReplayLimits,
  earlier: readonly TimedChange[] = [],
): ChangeLimits {
  const committed = [...earlier];
  return {
    explain({ author, at, order }) {
      const changesOfSameOrder = committed.filter((change) => change.order === order && change.at <= at);
      if (maxChanges !== null && changesOfSameOrder.length >= maxChanges)
        return `The limit of ${formatCount(maxChanges, 'change')} would have ended the run before it.`;
      if (allowances === null) return null;
      const { may, changesAnHour, changesADay } = allowances[author];
      const label = AUTHOR_LABELS[author];
      if (!may.includes('propose')) return `A change by ${label} may not be proposed.`;
      if (!may.includes('apply')) return `A change by ${label} would wait for you.`;
      const countWithin = (ms: Millis) =>
        committed.filter((change) => change.author === author && change.at > at - ms && change.at <= at).length;
      if (countWithin(HOUR_MS) >= changesAnHour)
        return `It would have waited: ${formatCount(changesAnHour, 'change')} an hour by ${label} were used up.`;
      if (countWithin(DAY_MS) >= changesADay)
        return `It would have waited: ${formatCount(changesADay, 'change')} a day by ${label} were used up.`;
      return null;
    },
    add(change) {
      committed.push(change);
    },
  };
}

/**
 * The parts of a charter that cannot be judged again, such as `authors.model.requestsAMinute`, because they affect
 * recorded proposals only in a real run. `authors`: the limits of each author, by their names in the charter.
 */
export function listUnjudged(
  authors: Readonly<Partial<Record<Author, { readonly [name: string]: unknown } | undefined>>>,
) {
  const parts = Object.entries(authors).flatMap(([author, limits = {}]) =>
    [
      ...(limits['requestsAMinute'] === undefined ? [] : ['requestsAMinute']),
      ...(limits['may'] === undefined ? [] : ['may, except for `propose` and `apply`']),
    ].map((part) => `authors.${author}.${part}`),
  );
  return parts as readonly string[];
}
