// Describes a proposal that did not reach the branch of a run.

import { authorOf } from '../model/authors.ts';
import type { NightMiss } from '../model/nights.ts';
import type { Proposal } from '../model.ts';

/** The record of such a proposal. `what`: the reason why it did not reach the branch. */
export function createMiss(what: NightMiss['what'], proposal: Proposal, reason: string): NightMiss {
  const { id, title, opportunity } = proposal;
  return {
    ...{ what, proposal: id, title, rule: opportunity.rule, path: opportunity.path, reason },
    ...{ author: authorOf(proposal), claim: proposal.claim?.kind ?? 'points' },
  };
}

/** The misses without a deferral of this proposal, which has another outcome now. */
export function withoutDeferral(
  misses: readonly NightMiss[],
  { proposal }: { readonly proposal: string },
): readonly NightMiss[] {
  return misses.filter((miss) => !(miss.what === 'deferred' && miss.proposal === proposal));
}
