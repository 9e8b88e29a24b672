// Describes a proposal that did not reach the branch of a run.

import { checkLabel } from '../../protocol/plainWords.ts';
import { asSentence } from '../../util/values/asSentence.ts';
import { authorOf, type Author } from '../model/authors.ts';
import type { NightMiss } from '../model/nights.ts';
import type { Proposal, Verdict } from '../model.ts';

const MODEL_AUTHORS: ReadonlySet<Author> = new Set(['model', 'agent']);

/** Maximum length of the sentence about a failed check. The verdict of the proposal has the complete text. */
const MAX_CHECK_CHARACTERS = 240;

/**
 * A sentence about what the next attempt does differently after an outcome of this kind. `isWish`: true if the proposal
 * answers a wish.
 */
function describeNextAttempt(kind: NightMiss['what'], author: Author, isWish: boolean): string {
  switch (kind) {
    case 'asks':
      return 'It waits for your decision, and is not tried again.';
    case 'deferred':
      return 'The same change is verified again once the machine is quieter.';
    case 'brokeDown':
      return 'The same change is verified again, alone; after the third time it is set aside.';
    case 'refused':
    case 'rolledBack':
      if (isWish)
        return kind === 'refused'
          ? 'The next question about the wish says so. After three answers, the wish waits for another run.'
          : 'The wish waits for another run, whose question says so.';
      return MODEL_AUTHORS.has(author)
        ? 'The next question about the task says so. After three answers, another task is tried.'
        : 'The same edits are not tried again. After five such changes in a row, the rule rests.';
  }
}

/** The check that failed and the reason of its verdict, as a sentence. */
function describeFailedCheck({ gate, reason }: Verdict): string {
  return asSentence(`“${checkLabel(gate)}” failed: ${reason}`, MAX_CHECK_CHARACTERS);
}

/** The record of a proposal that did not reach the branch. `kind`: the reason. `isWish`: true if it answers a wish. */
export function createMiss(kind: NightMiss['what'], proposal: Proposal, reason: string, isWish = false): NightMiss {
  const { id, title, opportunity } = proposal;
  const author = authorOf(proposal);
  const failedVerdict =
    kind === 'refused' || kind === 'rolledBack'
      ? proposal.verdicts.find(({ outcome }) => outcome === 'failed')
      : undefined;
  const next = [
    ...(failedVerdict ? [describeFailedCheck(failedVerdict)] : []),
    describeNextAttempt(kind, author, isWish),
  ].join(' ');
  return {
    ...{ what: kind, proposal: id, title, rule: opportunity.rule, path: opportunity.path, reason },
    ...{ next, author, claim: proposal.claim?.kind ?? 'points' },
    ...(failedVerdict === undefined ? {} : { gate: failedVerdict.gate }),
  };
}

/** The misses without a deferral of `proposal`, for use when that proposal has another outcome. */
export function removeDeferral(
  misses: readonly NightMiss[],
  { proposal }: { readonly proposal: string },
): readonly NightMiss[] {
  return misses.filter((miss) => !(miss.what === 'deferred' && miss.proposal === proposal));
}
