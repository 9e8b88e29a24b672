// Applies a verified proposal, or some hunks of it, after the person has said so.

import { applyParamsFrom } from '../fromProtocol.ts';
import { refuseUnsaved } from '../editorWriter.ts';
import { showMessage } from '../showMessage.ts';
import { reviewTo } from '../toProtocol.ts';
import { findProposal, operate, type ServerCommand } from './command.ts';

export const applyCommand: ServerCommand = async (context, request) => {
  const { proposal: id, hunks } = applyParamsFrom(request.args);
  const { repository, proposal } = await findProposal(context, id);
  // Asked before the session is: a change that was begun and found stale is planned anew, and here saving is enough.
  await refuseUnsaved(context, repository, repository.rootDir, proposal.edits.map(({ path }) => path));
  const applied = await operate(context, repository, `Selfware: applying ${proposal.title}`, request, (session, operation) => session.apply({ ...operation, proposal: proposal.id, by: 'person', ...(hunks ? { hunks } : {}) }));
  const review = reviewTo(applied.proposal, repository.uri);
  const ok = applied.proposal.status !== 'rolledBack';
  const message = ok ? `Applied: ${applied.proposal.title}. The way back is checkpoint ${applied.checkpoint.id}.` : `Applied and taken back: ${applied.proposal.reason ?? 'the points fell.'}`;
  if (!context.abilities.canReview) showMessage(context.connection, 'info', message);
  return { ok, message, review };
};
