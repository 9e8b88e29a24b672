// The server command `apply`: applies a waiting proposal, some of its hunks, or a version that a person has edited,
// because the person has decided so.

import { plainReason } from '#protocol/plainWords';
import { createHunks } from '../../core/propose/hunks.ts';
import { parseApplyParams } from '../fromProtocol.ts';
import { refuseUnsaved } from '../editorWriter.ts';
import { verifyRemaining } from '../remaining.ts';
import { showMessage } from '../showMessage.ts';
import { toReview } from '../toProtocol.ts';
import { counted } from '../../util/counted.ts';
import { findProposal, runWithProgress, type ServerCommand } from './command.ts';

/**
 * Applies the proposal. The outcome is not `ok` if the change failed its checks afterwards and was rolled back, or is
 * in conflict.
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
  const applied = await runWithProgress(
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
  const review = toReview(applied.proposal, repository.uri);
  const { status, reason, title } = applied.proposal;
  const ok = status !== 'rolledBack' && status !== 'conflicted';
  const { rest } = applied;
  if (rest) verifyRemaining(context, repository);
  const restSentence = rest
    ? ` The rest (${counted(createHunks(rest.edits).length, 'hunk')}) keeps waiting and is checked again.`
    : '';
  const message = ok
    ? `Applied: ${title}.${restSentence}`
    : status === 'conflicted'
      ? `${title} failed the checks after applying. ${plainReason(reason ?? '')}`
      : `Applied and rolled back: ${plainReason(reason ?? 'the points fell.')}`;
  // A client without a button for rolling back can do it on the command line with this id.
  const rollbackHint = ok ? ` The way back is checkpoint ${applied.checkpoint.id}.` : '';
  if (!context.abilities.canReview) showMessage(context.connection, 'info', `${message}${rollbackHint}`);
  return { ok, message, review, ...(rest ? { rest: toReview(rest, repository.uri) } : {}) };
};
