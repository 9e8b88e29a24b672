// Provides code lenses: for the first hunk of a waiting proposal in a file, to review, apply or reject it; and, if the
// settings ask for it, above each function with its figures and an action to improve it.

import type { Session } from '../../core/session.ts';
import type { CodeLens, CodeLensParams } from 'vscode-languageserver/node';
import { serverCommands } from '#protocol/methods';
import type { ImproveParams, ProposalRef } from '#protocol/review';
import type { FunctionMetrics, Opportunity, Proposal } from '../../core/model.ts';
import { createHunks } from '../../core/propose/hunks.ts';
import { isObject } from '../commands/commandArguments.ts';
import { guardRequest, guardEvent } from '../guardHandlers.ts';
import { rejectWhenAborted } from '../../util/watchdog.ts';
import { formatFigures } from '../hoverText.ts';
import type { Feature, ServerContext } from '../serverContext.ts';
import { throttle } from '../throttle.ts';

/** Minimum number of milliseconds between two requests to the client to refresh its lenses. */
const MIN_REFRESH_MS = 500;

/** The lenses of a waiting proposal, in their order. */
const PROPOSAL_LENSES = [
  { name: 'review', command: serverCommands.showProposal, label: (title: string) => `Selfware: review “${title}”` },
  { name: 'apply', command: serverCommands.apply, label: () => 'Apply' },
  { name: 'reject', command: serverCommands.reject, label: () => 'Reject' },
] as const;

/** Registers the handlers, and asks the client to refresh lenses when other proposals wait. */
export const codeLenses: Feature = (context) => {
  const { connection, abilities, events, log } = context;
  connection.onCodeLens(
    guardRequest<CodeLensParams, CodeLens[]>(log, 'textDocument/codeLens', [], (params, signal) =>
      createLenses(context, params, signal),
    ),
  );
  connection.onCodeLensResolve((lens, token) =>
    guardRequest<CodeLens, CodeLens>(log, 'codeLens/resolve', lens, () => resolveLens(lens))(lens, token),
  );

  let lastWaitingIds = '';
  const refresh = guardEvent(log, 'workspace/codeLens/refresh', async () => {
    const waitingIds = JSON.stringify(
      await Promise.all(
        context.repositories
          .all()
          .map(async (repository) => (await loadWaitingProposals(await repository.session())).map(({ id }) => id)),
      ),
    );
    if (waitingIds === lastWaitingIds) return;
    lastWaitingIds = waitingIds;
    await connection.sendRequest('workspace/codeLens/refresh');
  });
  const refreshSoon = throttle(MIN_REFRESH_MS, () => refresh(undefined));
  if (abilities.refreshesCodeLenses) {
    events.status.event(refreshSoon);
    events.opened.event(
      guardEvent(log, 'workspace/codeLens/refresh', () => connection.sendRequest('workspace/codeLens/refresh')),
    );
  }
  return { capabilities: { codeLensProvider: { resolveProvider: true } } };
};

/**
 * The lenses of a document: those of waiting proposals, and the figures of its functions if the settings ask for them.
 */
async function createLenses(
  context: ServerContext,
  { textDocument }: CodeLensParams,
  signal: AbortSignal,
): Promise<CodeLens[]> {
  const place = context.repositories.locate(textDocument.uri);
  if (!place) return [];
  const proposals = await loadWaitingProposals(await rejectWhenAborted(place.repository.session(), signal));
  const reviewLenses = proposals.flatMap((proposal) => {
    const hunk = createHunks(proposal.edits).find(({ path }) => path === place.path);
    if (!hunk) return [];
    const start = { line: Math.max(0, hunk.beforeLine - 1), character: 0 };
    return PROPOSAL_LENSES.map(({ name }) => ({
      range: { start, end: start },
      data: { lens: name, proposal: proposal.id, title: proposal.title },
    }));
  });
  const wantsFigures =
    place.repository.settings?.['codeLens.figures'] === true && context.documents.get(textDocument.uri) !== undefined;
  if (!wantsFigures) return reviewLenses;
  const { functions, opportunities } = await rejectWhenAborted(context.live.analyse(textDocument.uri), signal);
  const fixableOpportunities = place.repository.trusted ? opportunities.filter(({ recipe }) => recipe !== null) : [];
  return [
    ...reviewLenses,
    ...functions
      .filter(({ kind }) => kind !== 'topLevel')
      .flatMap((metrics) => [
        createFiguresLens(metrics),
        ...createImproveLens(metrics, excludeInnerFunctions(fixableOpportunities, metrics, functions)),
      ]),
  ];
}

/** The opportunities in this function, without those in its inner functions. */
function excludeInnerFunctions(
  opportunities: readonly Opportunity[],
  { line, endLine }: FunctionMetrics,
  functions: readonly FunctionMetrics[],
): readonly Opportunity[] {
  const innerFunctions = functions.filter(
    (inner) => inner.line >= line && inner.endLine <= endLine && inner.endLine - inner.line < endLine - line,
  );
  return opportunities.filter(
    ({ nameRange: { startLine } }) =>
      line <= startLine &&
      startLine <= endLine &&
      !innerFunctions.some((innerFunction) => innerFunction.line <= startLine && startLine <= innerFunction.endLine),
  );
}

/** A lens that improves the opportunity with the highest impact; empty if there are no opportunities. */
function createImproveLens({ line, column }: FunctionMetrics, opportunities: readonly Opportunity[]): CodeLens[] {
  const [bestOpportunity] = opportunities.toSorted((a, b) => b.impact - a.impact);
  if (!bestOpportunity) return [];
  const start = { line: line - 1, character: column - 1 };
  return [
    {
      range: { start, end: start },
      command: {
        title: 'Improve',
        tooltip: bestOpportunity.message,
        command: serverCommands.improve,
        arguments: [{ opportunity: bestOpportunity.id } satisfies ImproveParams],
      },
    },
  ];
}

/** A lens that only shows the figures of a function. The protocol requires a command, so it is empty. */
function createFiguresLens(metrics: FunctionMetrics): CodeLens {
  const start = { line: metrics.line - 1, character: metrics.column - 1 };
  return { range: { start, end: start }, command: { title: formatFigures(metrics), command: '' } };
}

/** Completes a lens with its command. A lens of another server is returned unchanged. */
function resolveLens(lens: CodeLens): CodeLens {
  const { data } = lens;
  const proposalLens = isObject(data) ? PROPOSAL_LENSES.find(({ name }) => name === data['lens']) : undefined;
  if (!proposalLens || !isObject(data)) return lens;
  return {
    ...lens,
    command: {
      title: proposalLens.label(String(data['title'])),
      command: proposalLens.command,
      arguments: [{ proposal: String(data['proposal']) } satisfies ProposalRef],
    },
  };
}

/** The proposals that wait for a decision: verified ones, and deferred ones that were checked. */
async function loadWaitingProposals(session: Pick<Session, 'proposals'>): Promise<readonly Proposal[]> {
  return (await session.proposals.all()).filter(
    ({ status, verdicts }) => status === 'verified' || (status === 'deferred' && verdicts.length > 0),
  );
}
