// The section of a night's report about success: what became of the proposals of each rule, and of all together.

import { divider, md, row, type Insertable } from '../../protocol/markdown.ts';
import { groupBy } from '../../util/values/groupBy.ts';
import type { NightMiss } from '../model/nights.ts';
import type { Night } from './nightTypes.ts';

/** With fewer proposals, the rest of the report says all of this. */
const MIN_TRIED = 3;

type Outcome = 'committed' | NightMiss['what'];

/**
 * A table by rule, most proposals first, with its sums in the last row. A committed change that a person has dropped
 * since still counts as committed. Empty after fewer than `MIN_TRIED` proposals.
 */
export function successSection({ changes, parked, misses }: Night): readonly Insertable[] {
  const outcomes = new Map<string, { readonly rule: string; readonly outcome: Outcome }>();
  // A later outcome of a proposal replaces an earlier one.
  for (const { proposal, rule, what } of misses) outcomes.set(proposal, { rule, outcome: what });
  for (const { proposal, rule } of parked) outcomes.set(proposal, { rule, outcome: 'asks' });
  for (const { proposal, rule } of changes) outcomes.set(proposal, { rule, outcome: 'committed' });
  if (outcomes.size < MIN_TRIED) return [];
  const all = [...outcomes.values()];
  const rules = groupBy(all, ({ rule }) => rule).toSorted(
    (one, other) => other.length - one.length || one[0]!.rule.localeCompare(other[0]!.rule),
  );
  return [
    md`## What succeeded`,
    '',
    row('Rule', 'Proposed', 'Committed', 'Wait for you', 'Refused', 'Not checked to the end'),
    divider(6),
    ...rules.map((ofRule) => row(ofRule[0]!.rule, ...countsOf(ofRule.map(({ outcome }) => outcome)))),
    ...(rules.length > 1 ? [row('all', ...countsOf(all.map(({ outcome }) => outcome)))] : []),
    '',
  ];
}

function countsOf(outcomes: readonly Outcome[]): readonly (string | number)[] {
  const count = (...wanted: readonly Outcome[]) => outcomes.filter((outcome) => wanted.includes(outcome)).length;
  const committed = count('committed');
  return [
    outcomes.length,
    `${committed} (${Math.round((100 * committed) / outcomes.length)} %)`,
    count('asks'),
    count('refused', 'rolledBack'),
    count('brokeDown', 'deferred'),
  ];
}
