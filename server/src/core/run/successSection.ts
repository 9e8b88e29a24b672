// The section of a night's report about success: what became of the proposals of each rule, author and claim, and
// of all together.

import { divider, md, row, type Insertable } from '../../protocol/markdown.ts';
import { groupBy } from '../../util/values/groupBy.ts';
import { AUTHOR_LABELS, type Author } from '../model/authors.ts';
import { FACTS_BY_CLAIM, type Claim } from '../model/claims.ts';
import type { NightMiss } from '../model/nights.ts';
import type { CommittedChange, Night } from './nightTypes.ts';

/** With fewer proposals, the rest of the report says all of this. */
const MIN_TRIED = 3;

type Outcome = 'committed' | NightMiss['what'];

/** What became of a proposal. The author and the claim are unknown in older events. */
interface Tried {
  readonly rule: string;
  readonly outcome: Outcome;
  readonly author?: Author;
  readonly claim?: Claim['kind'];
}

/**
 * A table by rule, then by author and by claim if there are several, most proposals first, with the sums in the last
 * row. A committed change that a person has dropped since still counts as committed. Empty after fewer than `MIN_TRIED`
 * proposals.
 */
export function successSection({ changes, parked, misses }: Night): readonly Insertable[] {
  const outcomes = new Map<string, Tried>();
  const ofChange = ({ rule, author, claim }: CommittedChange, outcome: Outcome) =>
    ({ rule, author, claim: claim?.kind ?? 'points', outcome }) as const;
  // A later outcome of a proposal replaces an earlier one.
  for (const { proposal, what, ...miss } of misses) outcomes.set(proposal, { ...miss, outcome: what });
  for (const change of parked) outcomes.set(change.proposal, ofChange(change, 'asks'));
  for (const change of changes) outcomes.set(change.proposal, ofChange(change, 'committed'));
  if (outcomes.size < MIN_TRIED) return [];
  const all = [...outcomes.values()];
  const rules = rowsBy(all, ({ rule }) => rule);
  const authors = rowsBy(all, ({ author }) => (author === undefined ? null : `by ${AUTHOR_LABELS[author]}`));
  const claims = rowsBy(all, ({ claim }) => (claim === undefined ? null : `claim: ${FACTS_BY_CLAIM[claim].label}`));
  const severalOf = (rows: readonly Insertable[]) => (rows.length > 1 ? rows : []);
  return [
    md`## What succeeded`,
    '',
    row('Rule', 'Proposed', 'Committed', 'Wait for you', 'Refused', 'Not checked to the end'),
    divider(6),
    ...rules,
    ...severalOf(authors),
    ...severalOf(claims),
    ...(rules.length > 1 ? [row('all', ...collectCounts(all.map(({ outcome }) => outcome)))] : []),
    '',
  ];
}

/** A row for each key, those with the most proposals first. Proposals whose key is null are left out. */
function rowsBy(tried: readonly Tried[], keyOf: (tried: Tried) => string | null): readonly Insertable[] {
  const known = tried.flatMap((one) => {
    const key = keyOf(one);
    return key === null ? [] : [{ key, outcome: one.outcome }];
  });
  return groupBy(known, ({ key }) => key)
    .toSorted((one, other) => other.length - one.length || one[0]!.key.localeCompare(other[0]!.key))
    .map((ofKey) => row(ofKey[0]!.key, ...collectCounts(ofKey.map(({ outcome }) => outcome))));
}

function collectCounts(outcomes: readonly Outcome[]): readonly (string | number)[] {
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
