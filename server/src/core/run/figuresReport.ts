// The figures of a night: how many proposals passed, what was rolled back, how often a person was needed, and which
// rules, authors and claims had success.

import { divider, md, row, type Insertable } from '../../protocol/markdown.ts';
import { groupBy } from '../../util/values/groupBy.ts';
import { AUTHOR_LABELS, type Author } from '../model/authors.ts';
import { FACTS_BY_CLAIM, type Claim } from '../model/claims.ts';
import type { NightMiss } from '../model/nights.ts';
import type { CommittedChange, Night } from './nightTypes.ts';

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
/** With fewer proposals, the rest of the report says what became of each rule, author and claim. */
const MIN_TRIED = 3;
/** Maximum number of rules, authors or claims in one line. */
const MAX_KEYS = 5;
const UNKNOWN = 'unknown';

type Outcome = 'committed' | NightMiss['what'];

/** A share of a whole, such as 2 of 3. */
export interface Share {
  readonly count: number;
  readonly of: number;
}

/** The figures of one or more nights. */
export interface NightFigures {
  /** Proposals that were committed, of all that were judged. */
  readonly passed: Share;
  /** Changes that were rolled back, of all that were applied. */
  readonly rolledBack: Share;
  /** How often a run waited for a person because something was unusual. */
  readonly interventions: number;
  /** Milliseconds in which the runs worked, without their waits. */
  readonly workedMs: number;
}

/** What became of a proposal. The author and the claim are unknown in older events. */
interface Tried {
  readonly rule: string;
  readonly outcome: Outcome;
  readonly author?: Author;
  readonly claim?: Claim['kind'];
}

/** The figures of these nights together. */
export function collectNightFigures(nights: readonly Night[]): NightFigures {
  const outcomes = nights.flatMap(collectTried).map(({ outcome }) => outcome);
  const count = (...wanted: readonly Outcome[]) => outcomes.filter((outcome) => wanted.includes(outcome)).length;
  const committed = count('committed');
  const rolledBack = count('rolledBack');
  const worked = nights.flatMap(({ runs, lastAt }) =>
    runs.map(({ startedAt, endedAt, waitedFor }) => (endedAt ?? lastAt) - startedAt - waitedFor),
  );
  return {
    passed: { count: committed, of: committed + count('refused', 'brokeDown') + rolledBack },
    rolledBack: { count: rolledBack, of: committed + rolledBack },
    interventions: nights.reduce((sum, { unusual }) => sum + unusual.length, 0),
    workedMs: worked.reduce((sum, ms) => sum + ms, 0),
  };
}

/** The table of figures. `earlier`: the nights before this one. Empty if nothing was judged. */
export function figuresSection(night: Night, earlier: readonly Night[]): readonly Insertable[] {
  const figures = collectNightFigures([night]);
  if (figures.passed.of === 0) return [];
  const before = earlier.length === 0 ? null : collectNightFigures(earlier);
  const rows: readonly (readonly [string, (of: NightFigures) => string, string])[] = [
    ['Proposals that passed', ({ passed }) => shareText(passed), 'over 70 %'],
    ['Changes that were rolled back', ({ rolledBack }) => shareText(rolledBack), 'under 20 %'],
    ['Times that it needed you', ({ interventions }) => String(interventions), 'fewer than 5 a day'],
    ['Changes in an hour of work', paceText, 'more than before'],
  ];
  return [
    md`## Figures`,
    '',
    row('', 'This night', ...(before ? ['Earlier nights'] : []), 'Goal'),
    divider(before ? 4 : 3),
    ...rows.map(([name, textOf, goal]) => row(name, textOf(figures), ...(before ? [textOf(before)] : []), goal)),
    '',
    ...successLines(night),
  ];
}

function shareText({ count, of }: Share): string {
  return of === 0 ? UNKNOWN : `${count} of ${of} (${Math.round((100 * count) / of)} %)`;
}

/** A pace from less than a minute says nothing. */
function paceText({ passed, workedMs }: NightFigures): string {
  if (workedMs < MINUTE_MS) return UNKNOWN;
  const minutes = Math.round(workedMs / MINUTE_MS);
  return `${((passed.count * HOUR_MS) / workedMs).toFixed(1)} (${passed.count} in ${minutes} min)`;
}

/** What was committed by rule, author and claim: a line for each of these that has several. */
function successLines(night: Night): readonly Insertable[] {
  const attempts = collectTried(night);
  if (attempts.length < MIN_TRIED) return [];
  const lines = [
    successLine('rule', attempts, ({ rule }) => rule),
    successLine('author', attempts, ({ author }) => (author === undefined ? null : AUTHOR_LABELS[author])),
    successLine('claim', attempts, ({ claim }) => (claim === undefined ? null : FACTS_BY_CLAIM[claim].label)),
  ].filter((line) => line !== null);
  return lines.length === 0 ? [] : [...lines.map((line) => md`- ${line}`), ''];
}

/** Those with the most proposals first. Proposals whose key is null are left out. Null if there are not several. */
function successLine(name: string, tried: readonly Tried[], keyOf: (tried: Tried) => string | null): string | null {
  const outcomesWithKey = tried.flatMap((attempt) => {
    const key = keyOf(attempt);
    return key === null ? [] : [{ key, outcome: attempt.outcome }];
  });
  const groups = groupBy(outcomesWithKey, ({ key }) => key).toSorted(
    (a, b) => b.length - a.length || a[0]!.key.localeCompare(b[0]!.key),
  );
  if (groups.length < 2) return null;
  const parts = groups.slice(0, MAX_KEYS).map((group) => {
    const committed = group.filter(({ outcome }) => outcome === 'committed').length;
    return `${group[0]!.key} ${committed} of ${group.length}`;
  });
  const omittedCount = groups.length - parts.length;
  return `Committed by ${name}: ${parts.join(', ')}${omittedCount > 0 ? `, and ${omittedCount} more` : ''}`;
}

/** The last outcome of each proposal. A committed change that a person has dropped since still counts as committed. */
function collectTried({ changes, parked, misses }: Night): readonly Tried[] {
  const outcomes = new Map<string, Tried>();
  const ofChange = ({ rule, author, claim }: CommittedChange, outcome: Outcome) =>
    ({ rule, author, claim: claim?.kind ?? 'points', outcome }) as const;
  for (const { proposal, what, ...miss } of misses) outcomes.set(proposal, { ...miss, outcome: what });
  for (const change of parked) outcomes.set(change.proposal, ofChange(change, 'asks'));
  for (const change of changes) outcomes.set(change.proposal, ofChange(change, 'committed'));
  return [...outcomes.values()];
}
