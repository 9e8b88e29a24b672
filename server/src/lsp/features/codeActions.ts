// Offers actions for the opportunities at a place: improve, suppress, dismiss, explain; and all safe fixes at once.

import {
  CodeActionKind,
  type CodeAction,
  type CodeActionParams,
  type Range as LspRange,
} from 'vscode-languageserver/node';
import type { Action, ActionRequest, OpportunityAtPlace } from '../actions/actionRequest.ts';
import { decisionActions } from '../actions/decisionActions.ts';
import { fixAllActions, fixAllEdit, fixAllKind } from '../actions/fixAllAction.ts';
import { improveActions, modelActions, createImproveCommand } from '../actions/improveActions.ts';
import { suppressionEdit } from '../actions/suppressionEdit.ts';
import type { Opportunity } from '../../core/model.ts';
import { isObject } from '../fromProtocol.ts';
import { guardRequest } from '../guardHandlers.ts';
import { rejectWhenAborted } from '../../util/watchdog.ts';
import type { Feature, ServerContext } from '../serverContext.ts';
import { toLspRange } from '../toProtocol.ts';

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
  const codeActionKinds = [CodeActionKind.QuickFix, CodeActionKind.RefactorRewrite, fixAllKind];
  return {
    capabilities: {
      codeActionProvider: abilities.codeActionLiterals ? { codeActionKinds, resolveProvider: true } : true,
    },
  };
};

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
  const { only } = params.context;
  const actions: Action[] = [];
  if (acceptsKind(only, CodeActionKind.QuickFix) || acceptsKind(only, CodeActionKind.RefactorRewrite)) {
    const touchedOpportunities = (await findTouched(request, params, signal)).filter(({ kind }) =>
      acceptsKind(only, kind),
    );
    const session = await rejectWhenAborted(repository.session(), signal);
    const rejectedPlaces = await session.opportunities.turnedDown(
      touchedOpportunities.map(({ opportunity }) => opportunity),
    );
    actions.push(
      ...improveActions(request, touchedOpportunities, rejectedPlaces),
      ...modelActions(request, touchedOpportunities, rejectedPlaces),
      ...decisionActions(request, touchedOpportunities),
    );
  }
  // Offered only if it is requested by name or with source actions, because it would be in the way in the menu of every
  // place.
  if (only?.some((requested) => includesKind(requested, fixAllKind)))
    actions.push(
      ...(await fixAllActions(
        request,
        only.some((requested) => requested === fixAllKind || requested === CodeActionKind.SourceFixAll),
        signal,
      )),
    );
  return actions;
}

async function findTouched(
  { context, repository, path, uri, document }: ActionRequest,
  { range, context: requestContext }: CodeActionParams,
  signal: AbortSignal,
): Promise<OpportunityAtPlace[]> {
  const session = await rejectWhenAborted(repository.session(), signal);
  const opportunities = document
    ? (await rejectWhenAborted(context.live.analyse(uri), signal)).opportunities
    : await session.opportunities.shown([path]);
  const namedIds = new Set(requestContext.diagnostics.map(({ data }) => (isObject(data) ? data['id'] : undefined)));
  return opportunities.flatMap((opportunity) => {
    const kind = findKind(opportunity, range, namedIds);
    return kind === null ? [] : [{ opportunity, kind }];
  });
}

/**
 * The kind of the action: on the name or its diagnostic, a fix; elsewhere in the construct, a refactoring; otherwise
 * null.
 */
function findKind(opportunity: Opportunity, range: LspRange, namedIds: ReadonlySet<unknown>): string | null {
  if (namedIds.has(opportunity.id) || rangesTouch(toLspRange(opportunity.nameRange), range))
    return CodeActionKind.QuickFix;
  return rangesTouch(toLspRange(opportunity.range), range) ? CodeActionKind.RefactorRewrite : null;
}

/**
 * Adds the command or the edit. An action of another server, or one that can no longer be computed, is returned
 * unchanged.
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
      ? await fixAllEdit(context, { ...place, document }, signal)
      : data['action'] === 'suppress'
        ? await suppressionEdit(context, { ...place, document }, String(data['opportunity']), null, signal)
        : null;
  return edit ? { ...action, edit } : action;
}

function acceptsKind(kinds: readonly string[] | undefined, kind: string): boolean {
  return kinds?.some((requested) => includesKind(requested, kind)) ?? true;
}

/**
 * True if the requested kind includes the other. Kinds form a tree: `quickfix` includes `quickfix.selfware`, and the
 * empty kind includes everything.
 */
function includesKind(requested: string, kind: string): boolean {
  return kind === requested || kind.startsWith(`${requested}.`) || requested === '';
}

/** True if the ranges share a position; an empty one (a cursor) counts at both its ends. */
function rangesTouch(range: LspRange, otherRange: LspRange): boolean {
  return !isBefore(range.end, otherRange.start) && !isBefore(otherRange.end, range.start);
}

function isBefore(position: LspRange['start'], otherPosition: LspRange['start']): boolean {
  return (
    position.line < otherPosition.line ||
    (position.line === otherPosition.line && position.character < otherPosition.character)
  );
}
