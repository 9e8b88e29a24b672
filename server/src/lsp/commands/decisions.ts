// Server commands for decisions on an opportunity that need no proposal: suppress it, dismiss it, explain it.

import {
  MessageType,
  ShowDocumentRequest,
  ShowMessageRequest,
  type MessageActionItem,
} from 'vscode-languageserver/node';
import { removeMarkup } from '#protocol/markdown';
import { DISMISSAL_KINDS, type DismissalKind, type Opportunity } from '../../core/model.ts';
import { SelfwareError } from '../../util/typedError.ts';
import { createSuppressionEdit } from '../actions/suppressionEdit.ts';
import { parseDecisionParams } from '../fromProtocol.ts';
import { renderOpportunity } from '../hoverText.ts';
import { escapeInvisible } from '../../util/visible.ts';
import type { ServerContext, Repository } from '../serverContext.ts';
import { showMessage } from '../showMessage.ts';
import { findRulePage } from '../toProtocol.ts';
import { createSuccess, type ServerCommand } from './command.ts';

/** The labels of the kinds of dismissals. */
export const KIND_TITLES: Readonly<Record<DismissalKind, string>> = {
  notAProblem: 'Not a problem here',
  wrong: 'The rule is wrong',
  later: 'Not now',
  generated: 'Nobody edits this file',
  other: 'Another reason',
};

/**
 * Inserts a comment that suppresses the opportunity into the open document, which the person then saves. Asks for the
 * reason if none is given. Throws `notFound` if there is no such opportunity, `unavailable` if the document is not
 * open, if the client applies no edits, or if no comment would work, and `writeFailed` if the editor refuses the edit.
 */
export const suppressCommand: ServerCommand = async (context, { args, signal }) => {
  const { uri, opportunity: id, reason } = parseDecisionParams(args);
  const { repository, path, opportunity } = await findOpportunity(context, uri, id);
  const document = context.documents.get(uri);
  if (!document || !context.abilities.appliesEdits)
    throw new SelfwareError('unavailable', 'Only an open document can be changed by the editor.', {
      action: 'Open the file.',
    });
  const reasonForComment =
    reason ??
    (await askPerson(context, `Why is ${opportunity.rule} right here? The reason goes into the comment.`, [
      'As intended',
      'Clearer this way',
      'Not worth a change',
    ]));
  if (reasonForComment === null) return { ok: false, message: 'Cancelled.', review: null };
  const edit = await createSuppressionEdit(
    context,
    { repository, path, document },
    opportunity.id,
    reasonForComment,
    signal,
  );
  if (!edit) throw new SelfwareError('unavailable', 'No comment can stand there.', { action: 'Dismiss it instead.' });
  const { applied, failureReason } = await context.connection.workspace.applyEdit({
    label: `Suppress ${opportunity.rule}`,
    edit,
  });
  if (!applied)
    throw new SelfwareError(
      'writeFailed',
      `The editor did not write the comment${failureReason ? `: ${failureReason}` : '.'}`,
    );
  return createSuccess(`Suppressed: ${opportunity.message}`);
};

/**
 * Records the dismissal in the ledger, and hides the opportunity. Asks for the kind of dismissal if none is given.
 * Throws `usage` for an unknown kind, and `notFound` if there is no such opportunity.
 */
export const dismissCommand: ServerCommand = async (context, { args }) => {
  const { uri, opportunity: id, kind: requestedKind, reason } = parseDecisionParams(args);
  const { repository, opportunity } = await findOpportunity(context, uri, id);
  const kind =
    requestedKind === undefined
      ? findKindByTitle(
          await askPerson(context, `Why is this to be dismissed? ${opportunity.message}`, Object.values(KIND_TITLES)),
        )
      : DISMISSAL_KINDS.find((candidate) => candidate === requestedKind);
  if (kind === undefined)
    throw new SelfwareError('usage', `A dismissal must be of one of the kinds ${DISMISSAL_KINDS.join(', ')}.`);
  if (kind === null) return { ok: false, message: 'Cancelled.', review: null };
  const { rule, path } = opportunity;
  // If the person chose the kind by a button, there is no reason in words.
  const reasonText = reason ?? (kind === 'other' && requestedKind === undefined ? 'Dismissed in the editor.' : null);
  await repository.use((session) =>
    session.opportunities.dismiss({ opportunity: opportunity.id, kind, reason: reasonText, rule, path }),
  );
  // The text of the document has not changed, but its diagnostics have.
  context.live.forget(uri);
  context.events.diagnosticsChanged.fire({ repository, path, uri });
  const message = `Dismissed: ${opportunity.message}`;
  if (!context.abilities.canReview) showMessage(context.connection, 'info', message);
  return createSuccess(message);
};

/** Opens the page of the rule; if the editor cannot open pages, shows the explanation as a message. */
export const explainCommand: ServerCommand = async (context, { args }) => {
  const { uri, opportunity: id } = parseDecisionParams(args);
  const { repository, opportunity } = await findOpportunity(context, uri, id);
  const [rank] = await (await repository.session()).opportunities.explainRanks([opportunity]);
  const message = removeMarkup(renderOpportunity(opportunity, rank?.sentence ?? '', null));
  const page = findRulePage(context.rulesDir, opportunity.rule);
  const hasOpenedPage =
    page !== null &&
    context.abilities.showsDocuments &&
    (await context.connection.sendRequest(ShowDocumentRequest.type, { uri: page, takeFocus: true })).success;
  if (!hasOpenedPage) showMessage(context.connection, 'info', message);
  return createSuccess(message);
};

/**
 * The opportunity with this id in the document, with its repository and path. An open document is analysed with its
 * current text. Throws `notFound` if the document is in no open folder, or has no such opportunity.
 */
export async function findOpportunity(
  context: ServerContext,
  uri: string,
  id: string,
): Promise<{ readonly repository: Repository; readonly path: string; readonly opportunity: Opportunity }> {
  const place = context.repositories.locate(uri);
  if (!place) throw new SelfwareError('notFound', 'The document is in none of the folders.');
  const opportunities = context.documents.get(uri)
    ? (await context.live.analyse(uri)).opportunities
    : await (await place.repository.session()).opportunities.shown([place.path]);
  const opportunity = opportunities.find((candidate) => candidate.id === id);
  if (!opportunity)
    throw new SelfwareError('notFound', `The opportunity ${id} no longer exists.`, {
      action: 'The file has changed; look again.',
    });
  return { ...place, opportunity };
}

/** Asks the person, and returns the chosen answer; null if the person closes the question. */
async function askPerson(
  { connection }: ServerContext,
  message: string,
  answers: readonly string[],
): Promise<string | null> {
  const answer: MessageActionItem | null = await connection.sendRequest(ShowMessageRequest.type, {
    type: MessageType.Info,
    message: escapeInvisible(`Selfware: ${message}`),
    actions: answers.map((title) => ({ title })),
  });
  return answer?.title ?? null;
}

function findKindByTitle(title: string | null): DismissalKind | null {
  return DISMISSAL_KINDS.find((kind) => KIND_TITLES[kind] === title) ?? null;
}
