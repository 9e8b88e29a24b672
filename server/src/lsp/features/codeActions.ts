// Offers code actions (quick fixes and refactorings) for the opportunities at a place: improve, suppress, dismiss,
// explain; and one that makes all safe fixes in the document.

import {
  CodeActionKind,
  type CodeAction,
  type CodeActionParams,
  type Range as LspRange,
} from 'vscode-languageserver/node';
import type { Action, ActionRequest, OpportunityAtPlace } from '../actions/actionRequest.ts';
import { listDecisionActions } from '../actions/decisionActions.ts';
import { listFixAllActions, computeFixAllEdit, FIX_ALL_KIND } from '../actions/fixAllAction.ts';
import { listImproveActions, listModelActions, createImproveCommand } from '../actions/improveActions.ts';
import { createSuppressionEdit } from '../actions/suppressionEdit.ts';
import type { Opportunity } from '../../core/model.ts';
import { isObject } from '../commands/commandArguments.ts';
import { guardRequest } from '../guardHandlers.ts';
import { rejectWhenAborted } from '../../util/watchdog.ts';
import type { Feature, ServerContext } from '../serverContext.ts';
import { toLspRange } from '../toProtocol.ts';

/** Registers the handlers for requesting and resolving code actions. */
export const codeActions: Feature = (context) => {
  const { connection, log, abilities } = context;
  connection.onCodeAction(
    guardRequest<CodeActionParams, Action[]>(log, 'textDocument/codeAction', [], (params, signal) =>
      createActions(context, params, signal),
    ),
  );
  connection.onCodeActionResolve((action, token) =>
    guardRequest<CodeAction, CodeAction>(log, 'codeAction/resolve', action, (requestedAction, signal) =>
      resolveAction(context, requestedAction, signal),
    )(action, token),
  );
  const codeActionKinds = [CodeActionKind.QuickFix, CodeActionKind.RefactorRewrite, FIX_ALL_KIND];
  return {
    capabilities: {
      codeActionProvider: abilities.codeActionLiterals ? { codeActionKinds, resolveProvider: true } : true,
    },
  };
};

/** The actions of the requested kinds at the place of the request; empty outside of all folders. */
async function createActions(context: ServerContext, params: CodeActionParams, signal: AbortSignal): Promise<Action[]> {
  const { uri } = params.textDocument;
  const place = context.repositories.locate(uri);
  if (!place) return [];
  const { repository, path } = place;
  const request: ActionRequest = {
    context,
    repository,
    path,
    uri,
    document: context.documents.get(uri) ?? null,
    diagnostics: params.context.diagnostics,
  };
  const { only: requestedKinds } = params.context;
  const actions: Action[] = [];
  if (
    acceptsKind(requestedKinds, CodeActionKind.QuickFix) ||
    acceptsKind(requestedKinds, CodeActionKind.RefactorRewrite)
  ) {
    const touchedOpportunities = (await findOpportunitiesInRange(request, params, signal)).filter(({ kind }) =>
      acceptsKind(requestedKinds, kind),
    );
    const session = await rejectWhenAborted(repository.session(), signal);
    const rejectedPlaces = await session.opportunities.listTurnedDown(
      touchedOpportunities.map(({ opportunity }) => opportunity),
    );
    actions.push(
      ...listImproveActions(request, touchedOpportunities, rejectedPlaces),
      ...listModelActions(request, touchedOpportunities, rejectedPlaces),
      ...listDecisionActions(request, touchedOpportunities),
    );
  }
  // "Fix all safe" is offered only if its kind or all source actions are requested; otherwise it would be in the menu
  // at every place.
  if (requestedKinds?.some((requested) => includesKind(requested, FIX_ALL_KIND)))
    actions.push(
      ...(await listFixAllActions(
        request,
        requestedKinds.some((requested) => requested === FIX_ALL_KIND || requested === CodeActionKind.SourceFixAll),
        signal,
      )),
    );
  return actions;
}

/** The opportunities that the range of the request touches, each with its kind of code action. */
async function findOpportunitiesInRange(
  { context, repository, path, uri, document }: ActionRequest,
  { range, context: requestContext }: CodeActionParams,
  signal: AbortSignal,
): Promise<OpportunityAtPlace[]> {
  const session = await rejectWhenAborted(repository.session(), signal);
  const opportunities = document
    ? (await rejectWhenAborted(context.live.analyse(uri), signal)).opportunities
    : await session.opportunities.shown([path]);
  const diagnosedIds = new Set(requestContext.diagnostics.map(({ data }) => (isObject(data) ? data['id'] : undefined)));
  return opportunities.flatMap((opportunity) => {
    const kind = chooseActionKind(opportunity, range, diagnosedIds);
    return kind === null ? [] : [{ opportunity, kind }];
  });
}

/**
 * The kind of code action for an opportunity: a quick fix if the range touches its name or the client has sent its
 * diagnostic, a refactoring if the range touches the rest of it, otherwise null.
 */
function chooseActionKind(
  opportunity: Opportunity,
  range: LspRange,
  diagnosedIds: ReadonlySet<unknown>,
): string | null {
  if (diagnosedIds.has(opportunity.id) || rangesTouch(toLspRange(opportunity.nameRange), range))
    return CodeActionKind.QuickFix;
  return rangesTouch(toLspRange(opportunity.range), range) ? CodeActionKind.RefactorRewrite : null;
}

/**
 * Completes a code action with its command or edit. An action of another server, or an action that is no longer
 * possible, is returned unchanged.
 */
async function resolveAction(context: ServerContext, action: CodeAction, signal: AbortSignal): Promise<CodeAction> {
  const { data } = action;
  if (action.command || action.edit || action.disabled || !isObject(data)) return action;
  if (data['action'] === 'improve' && typeof data['opportunity'] === 'string')
    return { ...action, command: createImproveCommand(action.title, data['opportunity'], data['again'] === true) };
  const uri = String(data['uri']);
  const place = context.repositories.locate(uri);
  const document = context.documents.get(uri);
  if (!place || !document) return action;
  const edit =
    data['action'] === 'fixAll'
      ? await computeFixAllEdit(context, { ...place, document }, signal)
      : data['action'] === 'suppress'
        ? await createSuppressionEdit(context, { ...place, document }, String(data['opportunity']), null, signal)
        : null;
  return edit ? { ...action, edit } : action;
}

function acceptsKind(kinds: readonly string[] | undefined, kind: string): boolean {
  return kinds?.some((requested) => includesKind(requested, kind)) ?? true;
}

/**
 * True if the requested kind includes `kind`. Kinds form a tree: `quickfix` includes `quickfix.selfware`, and the empty
 * kind includes everything.
 */
function includesKind(requested: string, kind: string): boolean {
  return kind === requested || kind.startsWith(`${requested}.`) || requested === '';
}

/**
 * True if the ranges overlap or touch at their ends. So a cursor (an empty range) directly before or after a name
 * touches it.
 */
function rangesTouch(range: LspRange, otherRange: LspRange): boolean {
  return !isBefore(range.end, otherRange.start) && !isBefore(otherRange.end, range.start);
}

function isBefore(position: LspRange['start'], otherPosition: LspRange['start']): boolean {
  return (
    position.line < otherPosition.line ||
    (position.line === otherPosition.line && position.character < otherPosition.character)
  );
}
