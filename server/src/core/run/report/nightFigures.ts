// How many proposals of some nights passed, what was rolled back, how often a person was needed, and how long the runs
// worked.

import type { Author } from '../../model/authors.ts';
import type { Claim } from '../../model/claims.ts';
import type { NightMiss } from '../../model/nights.ts';
import type { CommittedChange, Night } from '../nightTypes.ts';

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
export interface Tried {
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

/** The last outcome of each proposal. A committed change that a person has dropped since still counts as committed. */
export function collectTried({ changes, parked, misses }: Night): readonly Tried[] {
  const outcomes = new Map<string, Tried>();
  const ofChange = ({ rule, author, claim }: CommittedChange, outcome: Outcome) =>
    ({ rule, author, claim: claim?.kind ?? 'points', outcome }) as const;
  for (const { proposal, what, ...miss } of misses) outcomes.set(proposal, { ...miss, outcome: what });
  for (const change of parked) outcomes.set(change.proposal, ofChange(change, 'asks'));
  for (const change of changes) outcomes.set(change.proposal, ofChange(change, 'committed'));
  return [...outcomes.values()];
}
