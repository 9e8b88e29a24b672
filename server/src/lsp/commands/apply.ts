// The server command `apply`: applies a waiting proposal, some of its hunks, or a version that a person has edited,
// because the person has decided so.

import { plainReason } from '#protocol/plainWords';
import { createHunks } from '../../core/propose/hunks.ts';
import { parseApplyParams } from '../fromProtocol.ts';
import { refuseUnsaved } from '../editorWriter.ts';
import { verifyRemaining } from '../remaining.ts';
import { showMessage } from '../showMessage.ts';
import { toReview } from '../toProtocol.ts';
import { formatCount } from '../../util/counted.ts';
import { findProposal, runWithProgress, type ServerCommand } from './command.ts';

/**
 * Applies the proposal. The outcome is not `ok` if the change failed its checks afterwards and was rolled back, or
 * could not be rolled back. Throws `notFound` if there is no such proposal, `conflict` if one of its files has unsaved
 * changes, and the errors of `changes.apply`.
 */
export const applyCommand: ServerCommand = async (context, request) => {
  const { proposal: id, hunks, texts } = parseApplyParams(request.args);
  const { repository, proposal } = await findProposal(context, id);
  // If a file has unsaved changes, the command is refused here. Otherwise the session would find the proposal outdated
  // and make it again, although saving the file is enough.
  await refuseUnsaved(
    context,
    repository,
    repository.rootDir,
    proposal.edits.map(({ path }) => path),
  );
  const applyResult = await runWithProgress(
    context,
    repository,
    `Selfware: applying ${proposal.title}`,
    request,
    (session, operation) =>
      session.changes.apply({
        ...operation,
        proposal: proposal.id,
        by: 'person',
        ...(hunks ? { hunks } : {}),
        ...(texts ? { texts } : {}),
      }),
  );
  const review = toReview(applyResult.proposal, repository.uri);
  const { status, reason, title } = applyResult.proposal;
  const isApplied = status !== 'rolledBack' && status !== 'conflicted';
  const { rest: remainingProposal } = applyResult;
  if (remainingProposal) verifyRemaining(context, repository);
  const restSentence = remainingProposal
    ? ` The rest (${formatCount(createHunks(remainingProposal.edits).length, 'hunk')}) keeps waiting and is checked again.`
    : '';
  const message = isApplied
    ? `Applied: ${title}.${restSentence}`
    : status === 'conflicted'
      ? `${title} failed the checks after applying. ${plainReason(reason ?? '')}`
      : `Applied and rolled back: ${plainReason(reason ?? 'the points fell.')}`;
  // A client without a button for rolling back can do it on the command line with this id.
  const rollbackHint = isApplied ? ` The way back is checkpoint ${applyResult.checkpoint.id}.` : '';
  if (!context.abilities.canReview) showMessage(context.connection, 'info', `${message}${rollbackHint}`);
  return {
    ok: isApplied,
    message,
    review,
    ...(remainingProposal ? { rest: toReview(remainingProposal, repository.uri) } : {}),
  };
};
