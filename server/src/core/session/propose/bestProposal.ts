// Finds the best proposal that passes its gates, for a person who asks for an improvement and names no place.

import type { Proposal } from '../../model.ts';
import type { SkippedPlace } from '../../model/skippedPlaces.ts';
import { isPreviewed } from '../verify/previewing.ts';
import type { Session } from '../../session.ts';
import type { Operation } from '../../operation.ts';

/** Maximum number of proposals that do not pass. After so many, a person prefers an answer to further waiting. */
export const MAX_REFUSED = 5;
/**
 * Maximum number of proposals of a preview that are put off until the others have been tried, because they need
 * many tests.
 */
const MAX_PUT_OFF = 3;
/** Maximum number of opportunities that one request of `proposeBest` tries. */
const MAX_TRIED = 40;

/** The result of the search. */
export interface BestProposal {
  /** The verified proposal; null if none passed. */
  readonly verified: Proposal | null;
  /** The proposals before it that did not pass: refused by the gates, or deferred until the machine is quieter. */
  readonly refused: readonly Proposal[];
  /** Ids of opportunities that gave no proposal, each with the reason. */
  readonly tried: readonly { readonly opportunity: string; readonly refused: string }[];
  /** All places that were skipped, including places in `tried`, each once. */
  readonly passedOver: readonly SkippedPlace[];
}

/**
 * Options of the search. `atOnce`: true if a person waits for the answer, so that nothing is deferred, and a check that
 * needs a quiet machine answers “unknown”. `again`: true to try refused places again, and to verify verified proposals
 * once more.
 */
export interface BestOptions extends Operation {
  readonly again?: boolean;
  readonly atOnce?: boolean;
  /**
   * True if running only the tests that reach a change is enough for the answer. Then the returned proposal may be only
   * previewed and not verified.
   */
  readonly isPreview?: boolean;
  /** Restricts the search to the findings of these rules, unless an opportunity is named. */
  readonly rules?: readonly string[];
  /** Maximum number of proposals that do not pass; if absent, `MAX_REFUSED`. */
  readonly maxRefused?: number;
}

/**
 * Proposes and verifies until one proposal passes, nothing is left, or `maxRefused` proposals did not pass; with
 * `opportunityId`, only one proposal for that opportunity. A preview tries proposals that need many tests last.
 * Throws the errors of `propose` and `verify`.
 */
export async function findBestProposal(
  session: Pick<Session, 'proposals' | 'verification'>,
  opportunityId: string | undefined,
  { atOnce = false, isPreview = false, rules, maxRefused = MAX_REFUSED, ...operation }: BestOptions,
): Promise<BestProposal> {
  const unsuccessfulProposals: Proposal[] = [];
  const triedPlaces: { opportunity: string; refused: string }[] = [];
  const passedOverById = new Map<string, SkippedPlace>();
  const createAnswer = (verified: Proposal | null) => ({
    verified,
    refused: unsuccessfulProposals,
    tried: triedPlaces,
    passedOver: [...passedOverById.values()],
  });
  const excludedOpportunities = new Set<string>();
  const judge = (proposal: Proposal) =>
    isPreview
      ? session.verification.preview(proposal.id, operation)
      : session.verification.verify(proposal.id, operation, { atOnce });
  const putOff: Proposal[] = [];
  while (unsuccessfulProposals.length < (opportunityId === undefined ? maxRefused : 1)) {
    const outcome = await session.proposals.propose({
      ...operation,
      excludedProposals: excludedOpportunities,
      ...(opportunityId === undefined ? (rules ? { rules } : {}) : { opportunity: opportunityId }),
    });
    triedPlaces.push(...outcome.tried);
    for (const place of outcome.passedOver) passedOverById.set(place.opportunity, place);
    if (!outcome.proposal) break;
    // The named opportunity already has a verified proposal, and its files have not changed since.
    const isVerifiedAlready = outcome.proposal.status === 'verified' && !operation.again;
    const mayBePutOff = isPreview && !isVerifiedAlready && opportunityId === undefined && putOff.length < MAX_PUT_OFF;
    if (mayBePutOff && session.verification.needsManyTests(outcome.proposal)) {
      putOff.push(outcome.proposal);
      excludedOpportunities.add(outcome.proposal.id);
      continue;
    }
    const judgedProposal = isVerifiedAlready ? outcome.proposal : await judge(outcome.proposal);
    if (judgedProposal.status === 'verified' || isPreviewed(judgedProposal)) return createAnswer(judgedProposal);
    unsuccessfulProposals.push(judgedProposal);
    // The proposal waits for a quieter machine; the next one may not need one.
    if (judgedProposal.status === 'deferred') excludedOpportunities.add(judgedProposal.id);
  }
  for (const proposal of putOff.slice(0, Math.max(0, maxRefused - unsuccessfulProposals.length))) {
    const judgedProposal = await judge(proposal);
    if (judgedProposal.status === 'verified' || isPreviewed(judgedProposal)) return createAnswer(judgedProposal);
    unsuccessfulProposals.push(judgedProposal);
  }
  return createAnswer(null);
}

/**
 * Searches, as `findBestProposal` does, among the first `MAX_TRIED` of these opportunities, in their order. Without
 * `again`, a verified proposal that already waits for one of them is returned unchanged.
 */
export async function proposeBest(
  session: Pick<Session, 'proposals' | 'verification'>,
  opportunities: readonly string[],
  operation: BestOptions,
): Promise<BestProposal> {
  const unsuccessfulProposals: Proposal[] = [];
  const triedPlaces: BestProposal['tried'][number][] = [];
  const passedOverPlaces: SkippedPlace[] = [];
  for (const opportunity of opportunities.slice(0, MAX_TRIED)) {
    const answer = await findBestProposal(session, opportunity, operation);
    triedPlaces.push(...answer.tried);
    passedOverPlaces.push(...answer.passedOver);
    if (answer.verified)
      return {
        verified: answer.verified,
        refused: unsuccessfulProposals,
        tried: triedPlaces,
        passedOver: passedOverPlaces,
      };
    unsuccessfulProposals.push(...answer.refused);
    if (unsuccessfulProposals.length >= (operation.maxRefused ?? MAX_REFUSED)) break;
  }
  return { verified: null, refused: unsuccessfulProposals, tried: triedPlaces, passedOver: passedOverPlaces };
}
