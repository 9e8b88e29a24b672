// Computes how many proposals of some nights passed, what was rolled back, how often a person was needed, and how long
// the runs worked.

import { groupBy } from '../../../util/values/groupBy.ts';
import { AUTHOR_LABELS, type Author } from '../../model/authors.ts';
import type { Claim } from '../../model/claims.ts';
import type { NightMiss } from '../../model/nights.ts';
import type { CommittedChange, Night } from '../nightTypes.ts';

/** The outcome of a proposal: it was committed, or the reason why it was not. */
type Outcome = 'committed' | NightMiss['what'];

/** A share of a whole, such as 2 of 3. */
export interface Share {
  readonly count: number;
  readonly of: number;
}

/** The figures of one or more nights. */
export interface NightFigures {
  /** Proposals that were committed, of all that were committed, refused, rolled back, or could not be checked. */
  readonly passed: Share;
  /** Changes that were rolled back, of all that were committed or rolled back. */
  readonly rolledBack: Share;
  /** Number of times that a run waited for a person because something was unusual. */
  readonly interventions: number;
  /** Milliseconds in which the runs worked, without their waits. */
  readonly workedMs: number;
  /**
   * Milliseconds from the starts of the runs to their ends, waits included. A run without an end counts up to its
   * newest event.
   */
  readonly runtimeMs: number;
}

/** A proposal with its outcome. `author` and `claim` are absent in older events. */
export interface TriedProposal {
  readonly proposal: string;
  readonly rule: string;
  readonly outcome: Outcome;
  readonly author?: Author;
  readonly claim?: Claim['kind'];
}

/** The figures of these nights together. */
export function collectNightFigures(nights: readonly Night[]): NightFigures {
  const outcomes = nights.flatMap(collectTriedProposals).map(({ outcome }) => outcome);
  const count = (...wantedOutcomes: readonly Outcome[]) =>
    outcomes.filter((outcome) => wantedOutcomes.includes(outcome)).length;
  const committed = count('committed');
  const rolledBack = count('rolledBack');
  const runs = nights.flatMap((night) => night.runs.map((run) => ({ ...run, endedAt: run.endedAt ?? night.lastAt })));
  const runtimeMs = runs.reduce((sum, { startedAt, endedAt }) => sum + endedAt - startedAt, 0);
  return {
    passed: { count: committed, of: committed + count('refused', 'brokeDown') + rolledBack },
    rolledBack: { count: rolledBack, of: committed + rolledBack },
    interventions: nights.reduce((sum, { unusual }) => sum + unusual.length, 0),
    workedMs: runtimeMs - runs.reduce((sum, { waitedFor }) => sum + waitedFor, 0),
    runtimeMs,
  };
}

/**
 * The last outcome of each proposal. A change on the branch counts as committed even if a person has dropped it since.
 */
export function collectTriedProposals({ changes, parked, misses }: Night): readonly TriedProposal[] {
  const outcomes = new Map<string, TriedProposal>();
  const createTried = ({ proposal, rule, author, claim }: CommittedChange, outcome: Outcome) =>
    ({ proposal, rule, author, claim: claim?.kind ?? 'points', outcome }) as const;
  for (const { what, ...miss } of misses) outcomes.set(miss.proposal, { ...miss, outcome: what });
  for (const change of parked) outcomes.set(change.proposal, createTried(change, 'asks'));
  for (const change of changes) outcomes.set(change.proposal, createTried(change, 'committed'));
  return [...outcomes.values()];
}

/** The number of proposals of a rule, an author, a proposer or a claim, and how many of them were committed. */
export interface Success {
  readonly key: string;
  readonly committed: number;
  readonly tried: number;
}

/** The success by key, those with the most proposals first. Omits proposals whose key is null. */
export function countSuccess(
  attempts: readonly TriedProposal[],
  keyOf: (attempt: TriedProposal) => string | null | undefined,
): readonly Success[] {
  const outcomesWithKey = attempts.flatMap((attempt) => {
    const key = keyOf(attempt) ?? null;
    return key === null ? [] : [{ key, outcome: attempt.outcome }];
  });
  return groupBy(outcomesWithKey, ({ key }) => key)
    .map((group) => ({
      key: group[0]!.key,
      committed: group.filter(({ outcome }) => outcome === 'committed').length,
      tried: group.length,
    }))
    .toSorted((a, b) => b.tried - a.tried || a.key.localeCompare(b.key));
}

/**
 * The name of the proposer of each proposal, by the id of the proposal. Proposals without an entry were made by
 * recipes.
 */
export type ProposersById = ReadonlyMap<string, string>;

/** The key of the success by proposer: its name; if unknown, the kind of its author; null if both are unknown. */
export function proposerKey({ proposal, author }: TriedProposal, proposers: ProposersById): string | null {
  return proposers.get(proposal) ?? (author === undefined ? null : AUTHOR_LABELS[author]);
}
