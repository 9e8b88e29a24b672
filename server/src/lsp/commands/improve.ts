// The server command `improve`: proposes and verifies one improvement, about which the person decides later.

import { checkLabel, plainReason } from '#protocol/plainWords';
import { improveSentence } from '../../core/session/analyse/possibleWorkText.ts';
import { awaitsPerson } from '../../core/ledger/proposalLife.ts';
import type { Proposal } from '../../core/model.ts';
import { proposeBest, findBestProposal, type BestProposal } from '../../core/session/propose/bestProposal.ts';
import type { PossibleWork } from '../../core/session/analyse/analysisTypes.ts';
import type { Session } from '../../core/session.ts';
import { SelfwareError } from '../../util/typedError.ts';
import { describeStanding } from '../../core/verify/strength.ts';
import { parseImproveParams } from '../fromProtocol.ts';
import { rejectWhenAborted } from '../../util/watchdog.ts';
import { offerReview } from '../offerReview.ts';
import type { ServerContext, Repository } from '../serverContext.ts';
import { toReview } from '../toProtocol.ts';
import { createNotProposedOutcome } from './notProposed.ts';
import { reportOutcome, runWithProgress, type ServerCommand } from './command.ts';
import { formatCount } from '../../util/counted.ts';
import { isWithin } from '../../util/pathWithin.ts';

/**
 * Proposes and verifies the given opportunity, the best one in the given files, or the best one of the repository. If
 * nothing can be tried there, returns a proposal that already waits. Clients that cannot show reviews are asked for a
 * decision afterwards.
 */
export const improveCommand: ServerCommand = async (context, request) => {
  const { opportunity, uris, again: isRetry = false } = parseImproveParams(request.args);
  const requestedPlace = uris && locateUris(context, uris);
  const repository =
    requestedPlace?.repository ??
    (await context.repositories.owner(async (session) =>
      (await session.opportunities.shown()).some(({ id }) => id === opportunity),
    ));
  const outcome = await runWithProgress(
    context,
    repository,
    'Selfware: improving',
    request,
    async (session, operation) => {
      operation.report?.({ stage: 'indexing', done: 0, total: null, message: 'Waiting for the index' });
      await rejectWhenAborted(repository.settleIndex(), operation.signal);
      const options = { ...operation, atOnce: true, again: isRetry && opportunity !== undefined };
      const bestProposal = requestedPlace
        ? await proposeBest(session, await listImprovableIds(session, requestedPlace.paths), options)
        : await findBestProposal(session, opportunity, options);
      return bestProposal.verified || bestProposal.refused.length > 0
        ? bestProposal
        : { ...bestProposal, verified: await findWaitingProposal(session, requestedPlace?.paths ?? ['']) };
    },
  );
  const lastProposal = outcome.verified ?? outcome.refused.at(-1);
  const passedOverPlace = opportunity === undefined || requestedPlace ? undefined : outcome.passedOver.at(-1);
  if (!lastProposal && passedOverPlace)
    return reportOutcome(context, createNotProposedOutcome(passedOverPlace, context.abilities.canReview));
  if (!lastProposal)
    return reportOutcome(context, {
      ok: false,
      message: describeNothingProposed(
        outcome,
        requestedPlace ? null : (await (await repository.session()).status()).doable,
      ),
      review: null,
    });
  const review = toReview(lastProposal, repository.uri);
  if (!outcome.verified) return reportOutcome(context, { ok: false, message: describeRefusal(lastProposal), review });
  offerReview(context, repository, outcome.verified);
  return {
    ok: true,
    message: `${lastProposal.title}: ${describeStanding(lastProposal)}, waits for your decision.`,
    review,
  };
};

/**
 * The repository of the first URI, and the paths of all URIs in it; the path '' is the whole folder. Throws `notFound`
 * if no URI is in an open folder.
 */
function locateUris(
  { repositories }: ServerContext,
  uris: readonly string[],
): { readonly repository: Repository; readonly paths: readonly string[] } {
  const places = uris.flatMap((uri) => {
    const root = repositories.all().find((repository) => repository.uri.replace(/\/$/, '') === uri.replace(/\/$/, ''));
    const place = root ? { repository: root, path: '' } : repositories.locate(uri);
    return place ? [place] : [];
  });
  const [firstPlace] = places;
  if (!firstPlace) throw new SelfwareError('notFound', 'None of these files is in an open folder.');
  return {
    repository: firstPlace.repository,
    paths: places.filter(({ repository }) => repository === firstPlace.repository).map(({ path }) => path),
  };
}

/**
 * Ids of the opportunities in these files and folders, then of opportunities elsewhere that are related to them. For
 * example, the opportunity of duplicated code is at one of its places, but all of the places change.
 */
async function listImprovableIds(session: Session, paths: readonly string[]): Promise<readonly string[]> {
  const isRequested = createPathFilter(paths);
  const { improvable } = (await session.status()).doable;
  const [inFile, inRelated] = [
    improvable.filter(isRequested),
    improvable.filter((opportunity) => !isRequested(opportunity) && (opportunity.related ?? []).some(isRequested)),
  ];
  return [...inFile, ...inRelated].map(({ id }) => id);
}

/**
 * The newest waiting proposal for these files and folders, or null. It is shown if nothing can be tried, because the
 * person may be looking for it.
 */
async function findWaitingProposal(session: Session, paths: readonly string[]): Promise<Proposal | null> {
  return (
    (await session.proposals.all()).findLast(
      (proposal) => awaitsPerson(proposal) && proposal.edits.some(createPathFilter(paths)),
    ) ?? null
  );
}

function createPathFilter(paths: readonly string[]): (place: { readonly path: string }) => boolean {
  return ({ path }) => isWithin(path, paths);
}

/**
 * The message if there is no proposal, with up to three reasons. `possibleWork`: what Improve could do in the
 * repository; null if files were given.
 */
function describeNothingProposed({ tried }: BestProposal, possibleWork: PossibleWork | null): string {
  const reasons = [...new Set(tried.map(({ refused }) => refused))].slice(0, 3);
  if (tried.length === 0)
    return possibleWork ? improveSentence(possibleWork) : 'Improve has nothing to try in these files.';
  return `Nothing is proposed. ${tried.length === 1 ? '' : `${formatCount(tried.length, 'opportunity', 'opportunities')} were tried: `}${reasons.join(' ')}`;
}

/** The sentence about a proposal that was refused or deferred, with the reason. */
function describeRefusal({ title, reason, verdicts, status }: Proposal): string {
  if (status === 'deferred') return `${title}: deferred, and first in line next time. ${reason ?? ''}`.trim();
  const failedVerdict = verdicts.find(({ outcome }) => outcome === 'failed');
  return `${title}: refused. ${reason !== null ? plainReason(reason) : failedVerdict ? `${checkLabel(failedVerdict.gate)}: ${failedVerdict.reason}` : ''}`.trim();
}
