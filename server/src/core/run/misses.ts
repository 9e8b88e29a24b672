// Describes a proposal that did not reach the branch of a run.

import { authorOf, type Author } from '../model/authors.ts';
import type { NightMiss } from '../model/nights.ts';
import type { Proposal } from '../model.ts';

const BY_MODELS: ReadonlySet<Author> = new Set(['model', 'agent']);

/** What the next attempt does differently after such an outcome. */
function nextAttempt(kind: NightMiss['what'], author: Author): string {
  switch (kind) {
    case 'asks':
      return 'It waits for your decision, and is not tried again.';
    case 'deferred':
      return 'The same change is verified again once the machine is quieter.';
    case 'brokeDown':
      return 'The same change is verified again, alone; after the third time it is set aside.';
    case 'refused':
    case 'rolledBack':
      return BY_MODELS.has(author)
        ? 'The next question about the task says what the checks showed. After three answers, another task is tried.'
        : 'The same edits are not tried again. After five such changes in a row, the rule rests.';
  }
}

/** The record of such a proposal. `kind`: the reason why it did not reach the branch. */
export function createMiss(kind: NightMiss['what'], proposal: Proposal, reason: string): NightMiss {
  const { id, title, opportunity } = proposal;
  const author = authorOf(proposal);
  const failedGate =
    kind === 'refused' || kind === 'rolledBack'
      ? proposal.verdicts.find(({ outcome }) => outcome === 'failed')?.gate
      : undefined;
  return {
    ...{ what: kind, proposal: id, title, rule: opportunity.rule, path: opportunity.path, reason },
    ...{ next: nextAttempt(kind, author), author, claim: proposal.claim?.kind ?? 'points' },
    ...(failedGate === undefined ? {} : { gate: failedGate }),
  };
}

/** The misses without a deferral of this proposal, which has another outcome now. */
export function removeDeferral(
  misses: readonly NightMiss[],
  { proposal }: { readonly proposal: string },
): readonly NightMiss[] {
  return misses.filter((miss) => !(miss.what === 'deferred' && miss.proposal === proposal));
}
