// Turns opportunities into proposals: selects candidates, lets recipes realise them, and records refusals.

import { SelfwareError, throwIfCancelled } from '../../../util/typedError.ts';
import type { FileEdit, Millis, Opportunity, Proposal } from '../../model.ts';
import { pickScope } from '../../model/workScope.ts';
import { awaitsPerson } from '../../ledger/proposalLife.ts';
import { refusalSentence, type SkippedPlace, type SkipCause, type Refusal } from '../../model/skippedPlaces.ts';
import { findLinterCandidates } from './linterCandidates.ts';
import { findOpportunityById } from './requireOpportunity.ts';
import { isProposalInScope, createRequestFilter } from './requestScope.ts';
import type { DeferredRequest, ProposeOutcome, ProposeRequest, PlaceWithoutResult } from './requests.ts';
import { joinSimilarPlaces } from './joinSimilarPlaces.ts';
import { combineRefusedChange } from './combineRefused.ts';
import type { SessionContext } from '../context.ts';
import { requireHead, findProposable } from '../analyse/possibleWork.ts';
import { isAlreadyFiled, recordProposal } from './recordProposal.ts';
import { proposeFileFixes } from './fixingFile.ts';
import { findRecipeFacts } from '../../propose/recipeTable.ts';
import type { CheckedEdit } from '../../charter/charter.ts';
import { formatEdits } from './formatEdits.ts';
import { CHARACTERISATION_RECIPE } from './recipeNames.ts';
import { applyRecipe } from './applyRecipe.ts';
import { listHiddenPlaces, findPassedOver, createSkippedPlace, recordPassedOver } from './passedOverPlaces.ts';
import { listOpportunities } from '../analyse/listOpportunities.ts';
import { createUnfinishedWorkTest, type ExplainUnfinishedWork } from '../apply/unfinishedWork.ts';
import { isDeferredAsBusy } from '../../verify/busyMachine.ts';
import { areFilesUnchanged } from '../verify/verifying.ts';
import type { JobTable } from '../../jobs.ts';

/**
 * Maximum number of recipes that one request runs, and of refusals that it reports. More would keep a person waiting.
 */
const MAX_TRIES = 40;

type AppliedRecipe = JobTable['applyRecipe']['output'];

/**
 * Turns the named opportunity, or the best opportunity that a recipe can realise, into a proposal, and records every
 * attempt. If none is named, a proposal that was deferred on a busy machine comes before new ones. With `fixesOf`,
 * proposes all safe fixes in that file instead. `proposal` is null if nothing could be proposed. Throws `untrusted`,
 * `notARepository`, `noCommit`, `notFound`, `cancelled`, `unavailable` without a recipe for the named opportunity, and
 * the errors of `recordProposal`.
 */
export async function propose(context: SessionContext, request: ProposeRequest): Promise<ProposeOutcome> {
  if (request.fixesOf !== undefined)
    return { proposal: await proposeFileFixes(context, request.fixesOf, request.signal), tried: [], passedOver: [] };
  const head = await requireHead(context);
  const isFirst = request.opportunity === undefined && request.besides === undefined;
  const deferredProposal = isFirst ? (await listDeferredAsBusy(context, request))[0] : undefined;
  if (deferredProposal) return { proposal: deferredProposal, tried: [], passedOver: [] };
  const { eligible, passed } = await chooseOpportunities(context, request);
  const attempt: Attempt = {
    context,
    request,
    unfinished: await createUnfinishedWorkTest(context),
    head,
    passedOverNow: [...passed],
    tried: [],
    tries: 0,
    hasMore: false,
  };
  const proposal = await proposeAny(attempt, eligible);
  await recordPassedOver(context, attempt.passedOverNow);
  return {
    proposal,
    tried: attempt.tried,
    passedOver: attempt.passedOverNow,
    ...(attempt.hasMore ? { hasMore: true } : {}),
  };
}

/**
 * Tries in this order: the chosen opportunities, a proposal whose verification did not finish, combinations of changes,
 * and fixes by linters. With `besides`, only the chosen opportunities.
 */
async function proposeAny(attempt: Attempt, eligible: readonly Opportunity[]): Promise<Proposal | null> {
  const { context, request, head } = attempt;
  const { proposal, leftOver } = await tryEach(attempt, eligible);
  if (request.besides) return proposal;
  if (proposal || leftOver || request.opportunity !== undefined) return proposal ?? leftOver;
  const composed = await combineRefusedChange(
    context,
    (await listOpportunities(context)).shown.filter(createRequestFilter(request)),
    async ({ opportunity, edits }) => isAcceptable(context, opportunity, edits, attempt.unfinished),
    request.signal,
  );
  if (!composed) return (await tryEach(attempt, await findLinterCandidates(attempt))).proposal;
  reportPlace(request, composed.opportunity, 0, 1);
  const edits = await formatEdits(context, composed.edits, request.signal);
  return recordProposal(context, composed.opportunity, { ...composed, edits }, head, request.signal);
}

/** The state that all attempts of one request share. */
interface Attempt {
  readonly context: SessionContext;
  readonly request: ProposeRequest;
  readonly unfinished: ExplainUnfinishedWork;
  readonly head: string;
  /** Places that were skipped in this request. */
  readonly passedOverNow: SkippedPlace[];
  readonly tried: PlaceWithoutResult[];
  /** Number of recipes that ran so far. */
  tries: number;
  /** True if the limit of tries was reached before all places were tried. */
  hasMore: boolean;
}

/**
 * The first of these opportunities that becomes a proposal, or that has an open one. `leftOver`: an open proposal whose
 * verification did not finish, to be tried if nothing else is left; null if there is none.
 */
async function tryEach(
  attempt: Attempt,
  chosenOpportunities: readonly Opportunity[],
): Promise<{ readonly proposal: Proposal | null; readonly leftOver: Proposal | null }> {
  const { context, request } = attempt;
  const isNamed = request.opportunity !== undefined;
  // A proposal whose verification was cancelled or crashed is tried last. If it always crashes, it does not block the
  // others.
  let remainingProposal: Proposal | null = null;
  const queue = [...chosenOpportunities];
  for (const [placeIndex, opportunity] of queue.entries()) {
    throwIfCancelled(request.signal);
    if (request.besides?.has(opportunity.path)) continue;
    if (attempt.tries >= MAX_TRIES) {
      attempt.hasMore = true;
      break;
    }
    // A place whose waiting proposal is outdated comes last: its files are probably still being edited, and a person
    // has to decide anyway.
    if (!isNamed && placeIndex < chosenOpportunities.length && (await hasOutdatedProposal(context, opportunity))) {
      queue.push(opportunity);
      continue;
    }
    reportPlace(request, opportunity, placeIndex, queue.length);
    const openProposal = await findOpenProposal(context, opportunity);
    if (!openProposal) {
      const proposal = await tryOpportunity(attempt, opportunity, chosenOpportunities);
      if (proposal) return { proposal, leftOver: remainingProposal };
    } else if (
      request.excludedProposals?.has(openProposal.id) ||
      openProposal.edits.some(({ path }) => request.besides?.has(path))
    )
      continue;
    else if (!isNamed && awaitsPerson(openProposal))
      skipPlace(attempt, opportunity, 'waiting', 'A proposal for it waits for a decision.');
    else if (isNamed || openProposal.status !== 'deferred')
      return { proposal: openProposal, leftOver: remainingProposal };
    else remainingProposal ??= openProposal;
  }
  return { proposal: null, leftOver: remainingProposal };
}

/** Reports the place that is being tried. */
function reportPlace({ report }: ProposeRequest, { rule, path }: Opportunity, doneCount: number, total: number): void {
  report?.({ stage: 'realising', done: doneCount, total, message: `${rule} in ${path}` });
}

/**
 * The proposal for an opportunity; null if the opportunity was skipped or declined, or is left for a later request.
 * `chosenOpportunities`: the opportunities with which it may be combined.
 */
async function tryOpportunity(
  attempt: Attempt,
  opportunity: Opportunity,
  chosenOpportunities: readonly Opportunity[],
): Promise<Proposal | null> {
  const { context, request, head } = attempt;
  // An obstacle may disappear, so the ledger does not record it; it records a refusal by the recipe.
  // Whether a recipe may edit a protected manifest depends on its edits, which the charter judges below.
  const isManifest = findRecipeFacts(opportunity.recipe)?.editsManifest === true;
  const obstacle = isManifest ? null : await findObstacle(attempt, [opportunity]);
  if (obstacle) return skipPlace(attempt, opportunity, obstacle.by, obstacle.reason);
  attempt.tries++;
  const single = await applyRecipe(context, opportunity, request.signal, request.opportunity !== undefined);
  const joint = 'refused' in single ? null : await applyTogether(attempt, opportunity, chosenOpportunities);
  const outcome = joint ?? (await refuseIfKnown(attempt, await formatOutcome(context, single, request.signal)));
  if ('refused' in outcome) return recordRefusal(attempt, opportunity, outcome);
  // The place stays open for a later request.
  if (outcome.edits.some(({ path }) => request.besides?.has(path))) return null;
  if (await isAlreadyFiled(context, outcome.edits))
    return skipPlace(attempt, opportunity, 'waiting', 'A proposal with the same edits waits for a decision.');
  const prohibition = await findObstacle(attempt, outcome.edits, opportunity.recipe);
  if (prohibition) return skipPlace(attempt, opportunity, prohibition.by, prohibition.reason);
  const { addresses, nearby } = outcome;
  const origin = { ...(addresses === undefined ? {} : { addresses }), ...(nearby ? { nearby } : {}) };
  return recordProposal(context, joint?.opportunity ?? opportunity, outcome, head, request.signal, origin);
}

/**
 * Changes the opportunity together with similar places in the same file. Null if there are none, if a person asked for
 * this place, or if the joint change is refused (see `refuseIfKnown`).
 */
async function applyTogether(attempt: Attempt, opportunity: Opportunity, chosenOpportunities: readonly Opportunity[]) {
  const { context, request } = attempt;
  if (request.opportunity !== undefined) return null;
  const combined = await joinSimilarPlaces(context, opportunity, chosenOpportunities, request.signal);
  if (!combined) return null;
  const joint = await refuseIfKnown(attempt, await formatOutcome(context, combined, request.signal));
  return 'refused' in joint ? null : { ...joint, opportunity: combined.opportunity };
}

/** Records that this place was skipped, and returns null. */
function skipPlace(
  { passedOverNow: skippedPlaces, tried }: Attempt,
  opportunity: Opportunity,
  cause: SkipCause,
  refused: string,
  since: Millis | null = null,
): null {
  skippedPlaces.push(createSkippedPlace(opportunity, cause, refused, since));
  if (tried.length < MAX_TRIES)
    tried.push({ opportunity: opportunity.id, rule: opportunity.rule, path: opportunity.path, refused });
  return null;
}

/**
 * Skips the place, and records the refusal. It is not recorded if the same edits were refused before (`refusal`) and
 * the ledger already contains a refusal of this opportunity.
 */
async function recordRefusal(
  attempt: Attempt,
  opportunity: Opportunity,
  { refused, refusal = null }: { readonly refused: string; readonly refusal?: Refusal | null },
): Promise<null> {
  const { ledger } = attempt.context;
  const { id, recipe } = opportunity;
  const earlierRefusal = (await ledger.refusals()).get(id) ?? null;
  const since = refusal ?? (earlierRefusal?.reason === refused ? earlierRefusal : null);
  skipPlace(attempt, opportunity, refusal?.by ?? 'declined', refused, since?.at ?? null);
  if (!refusal || !earlierRefusal)
    await ledger.record({
      type: 'attempt',
      data: { opportunity: id, recipe: recipe ?? '', outcome: 'refused', reason: refused },
    });
  return null;
}

/** False if unfinished work, an earlier refusal, an open proposal or the charter prevents unrequested edits. */
async function isAcceptable(
  context: SessionContext,
  opportunity: Opportunity,
  edits: readonly FileEdit[],
  explainUnfinished: ExplainUnfinishedWork,
): Promise<boolean> {
  if ((await findFirstObstacle(explainUnfinished, edits, false)) || (await findOpenProposal(context, opportunity)))
    return false;
  return (
    !(await context.ledger.refusedContent(edits)) &&
    !(await isAlreadyFiled(context, edits)) &&
    !(await findProhibition(context, edits))
  );
}

/** The proposals of the request that were deferred on a busy machine and still fit their files, oldest first. */
export async function listDeferredAsBusy(
  context: Pick<SessionContext, 'ledger' | 'ports'>,
  request: DeferredRequest,
): Promise<readonly Proposal[]> {
  // The kind of a change that no rule has found follows from its claim, so `isProposalInScope` checks the kinds.
  const { kinds: _, ...ofAnyKind } = request;
  const deferredProposals: Proposal[] = [];
  for (const proposal of await context.ledger.proposals()) {
    if (
      !isDeferredAsBusy(proposal) ||
      request.excludedProposals?.has(proposal.id) ||
      !createRequestFilter(ofAnyKind)(proposal.opportunity) ||
      !isProposalInScope(proposal, pickScope(request))
    )
      continue;
    if (await areFilesUnchanged(context, proposal.edits)) deferredProposals.push(proposal);
  }
  return deferredProposals;
}

/** True if the opportunity's proposal waits for a decision, and its files have changed since. */
async function hasOutdatedProposal(context: SessionContext, { id }: Opportunity): Promise<boolean> {
  const open = await context.ledger.openProposalFor(id);
  return open !== null && awaitsPerson(open) && !(await areFilesUnchanged(context, open.edits));
}

/** The open proposal for an opportunity, if it still fits the files; otherwise null, and the proposal is withdrawn. */
async function findOpenProposal(context: SessionContext, opportunity: Opportunity): Promise<Proposal | null> {
  const open = await context.ledger.openProposalFor(opportunity.id);
  if (!open || (await areFilesUnchanged(context, open.edits))) return open;
  const { id, verdicts, pointsBefore, pointsAfter } = open;
  // A process died during this verification. Refusing the proposal in that state would count as a refusal by the gates.
  if (open.status === 'verifying')
    await context.ledger.record({
      type: 'deferred',
      data: { proposal: id, by: 'charter', reason: 'The verification did not finish.' },
    });
  await context.ledger.record({
    type: 'refused',
    data: { proposal: id, verdicts, pointsBefore, pointsAfter, reason: 'Its files have changed since.' },
  });
  return null;
}

/** The opportunities to try, best first, and the places that are skipped. Throws `notFound` and `unavailable`. */
async function chooseOpportunities(
  context: SessionContext,
  request: ProposeRequest,
): Promise<{ readonly eligible: readonly Opportunity[]; readonly passed: readonly SkippedPlace[] }> {
  const { opportunity: id } = request;
  if (id !== undefined) {
    const namedOpportunity = await findOpportunityById(context, id, request);
    if (!namedOpportunity)
      throw new SelfwareError(
        'notFound',
        `There is no opportunity ${id}, or it no longer exists: its file may have changed.`,
        { action: 'Look at the list again.' },
      );
    // Recording the results of a function runs code of the repository, so only an explicit request starts it.
    if (namedOpportunity.rule === 'test-gap')
      return { eligible: [{ ...namedOpportunity, recipe: CHARACTERISATION_RECIPE }], passed: [] };
    if (!namedOpportunity.recipe)
      throw new SelfwareError('unavailable', `No recipe can make a change for ${namedOpportunity.rule} here.`, {
        action: 'It needs a person.',
      });
    return { eligible: [namedOpportunity], passed: [] };
  }
  const isRequested = createRequestFilter(request);
  const listing = await listOpportunities(context);
  const requestedOpportunities = listing.shown.filter(isRequested);
  const eligible = await findProposable(context, requestedOpportunities);
  const hidden = listHiddenPlaces(listing.hidden.filter(({ opportunity }) => isRequested(opportunity)));
  return { eligible, passed: [...hidden, ...(await findPassedOver(context, requestedOpportunities, eligible))] };
}

/**
 * Returns the outcome of a recipe, or a refusal if the recipe refused, if it changes nothing, or if the same edits were
 * refused before. With `again` in the request, earlier refusals do not count.
 */
async function refuseIfKnown(
  { context, request }: Attempt,
  outcome: AppliedRecipe,
): Promise<Exclude<AppliedRecipe, { refused: string }> | { readonly refused: string; readonly refusal?: Refusal }> {
  if ('refused' in outcome) return outcome;
  if (outcome.edits.every(({ before, after }) => before === after)) return { refused: 'There is nothing to change.' };
  const refusal = request.again ? null : await context.ledger.refusalOf(outcome.edits);
  return refusal ? { refused: refusalSentence(refusal), refusal } : outcome;
}

/** Formats the outcome with the repository's own formatter. */
async function formatOutcome(
  context: SessionContext,
  outcome: AppliedRecipe,
  signal: AbortSignal,
): Promise<AppliedRecipe> {
  return 'refused' in outcome ? outcome : { ...outcome, edits: await formatEdits(context, outcome.edits, signal) };
}

/**
 * The reason why these files must not be changed now: unfinished work in one of them, or the charter. Null if they may
 * be changed.
 */
async function findObstacle(
  { context, request, unfinished }: Attempt,
  checkedEdits: readonly CheckedEdit[],
  recipe: string | null = null,
): Promise<{ readonly by: SkipCause; readonly reason: string } | null> {
  const unfinishedObstacle = await findFirstObstacle(unfinished, checkedEdits, request.opportunity !== undefined);
  if (unfinishedObstacle)
    return {
      by: 'unfinished',
      reason:
        checkedEdits.length === 1
          ? unfinishedObstacle.reason
          : `${unfinishedObstacle.path}: ${unfinishedObstacle.reason}`,
    };
  const prohibitionReason = await findProhibition(context, checkedEdits, recipe);
  return prohibitionReason === null ? null : { by: 'protected', reason: prohibitionReason };
}

/**
 * The first file that must not be touched, because somebody works on it; null if there is none. `isRequested`: true if
 * a person named this place.
 */
async function findFirstObstacle(
  unfinished: ExplainUnfinishedWork,
  edits: readonly { readonly path: string }[],
  isRequested: boolean,
): Promise<{ readonly path: string; readonly reason: string } | null> {
  for (const { path } of edits) {
    const reason = await unfinished(path, isRequested);
    if (reason) return { path, reason };
  }
  return null;
}

/** The reason why the charter does not allow these edits; null if it does. */
async function findProhibition(
  context: SessionContext,
  checkedEdits: readonly CheckedEdit[],
  recipe: string | null = null,
): Promise<string | null> {
  const answer = await context.charter.check(checkedEdits, recipe ?? undefined);
  return answer.allowed ? null : answer.reason;
}
