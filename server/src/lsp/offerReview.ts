// Shows a verified proposal to the person: in Selfware's own client as a review, in other clients by
// `window/showMessageRequest`.

import { mkdtemp, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import {
  MessageType,
  ShowDocumentRequest,
  ShowMessageRequest,
  type MessageActionItem,
} from 'vscode-languageserver/node';
import { notifications, serverCommands } from '#protocol/methods';
import { checkLabel, describeEffect } from '#protocol/plainWords';
import { strengthText } from '#protocol/strength';
import type { Proposal } from '../core/model.ts';
import { countChangedLines } from '../core/propose/hunks.ts';
import { formatUnifiedDiff } from '../core/propose/unifiedDiff.ts';
import { describeClaim } from '../core/model/claims.ts';
import { addShownEffect } from '../core/model/proofs.ts';
import { toShownOutcome } from '../core/verify/shownOutcome.ts';
import { explainStrength } from '../core/verify/strength.ts';
import { describeError } from '../util/typedError.ts';
import { escapeInvisible } from '../util/visible.ts';
import { applyCommand } from './commands/apply.ts';
import { rejectCommand } from './commands/reject.ts';
import { runInBackground, isCancelled } from './guardHandlers.ts';
import type { ServerContext, Repository } from './serverContext.ts';
import { showMessage } from './showMessage.ts';
import { computePointsDelta, toReview } from './toProtocol.ts';
import { formatCount } from '../util/counted.ts';

const ACTION_LABELS = { apply: 'Apply', diff: 'Show diff', reject: 'Reject', later: 'Later' } as const;
/** Maximum number of lines of a diff in a message of an editor. */
const MAX_MESSAGE_LINES = 60;

const MARK_BY_OUTCOME = { passed: '✓', failed: '✗', unknown: '?' } as const;

/**
 * Shows the proposal for review; a client without reviews is asked for a decision. Returns at once, because the person
 * may take a day to decide.
 */
export function offerReview(context: ServerContext, repository: Repository, proposal: Proposal): void {
  const { connection, log, abilities } = context;
  if (abilities.canReview)
    runInBackground(log, 'reviewReady', () =>
      connection.sendNotification(notifications.reviewReady, toReview(proposal, repository.uri)),
    );
  else runInBackground(log, 'Asking for a decision', () => askPerson(context, proposal, composeQuestion(proposal)));
}

/** Asks for a decision, and carries it out. After "Show diff", asks again. */
async function askPerson(context: ServerContext, proposal: Proposal, message: string): Promise<void> {
  const { connection } = context;
  const isDecidable = proposal.status === 'verified' || proposal.status === 'deferred';
  const titles = isDecidable ? Object.values(ACTION_LABELS) : [ACTION_LABELS.diff, ACTION_LABELS.later];
  const answer: MessageActionItem | null = await connection.sendRequest(ShowMessageRequest.type, {
    type: MessageType.Info,
    message: escapeInvisible(message),
    actions: titles.map((title) => ({ title })),
  });
  const request = { args: [{ proposal: proposal.id }], signal: new AbortController().signal };
  try {
    if (answer?.title === ACTION_LABELS.apply) await applyCommand(context, request);
    if (answer?.title === ACTION_LABELS.reject)
      showMessage(connection, 'info', (await rejectCommand(context, request)).message);
    if (answer?.title === ACTION_LABELS.diff)
      await askPerson(
        context,
        proposal,
        (await showDiff(context, proposal))
          ? composeQuestion(proposal)
          : `${composeQuestion(proposal)}\n\n${cutToFirstLines(formatUnifiedDiff(proposal.edits))}`,
      );
  } catch (error) {
    if (isCancelled(error)) return;
    context.log.write('warn', `${serverCommands.apply} or ${serverCommands.reject} failed.`, error);
    showMessage(connection, 'error', describeError(error));
  }
}

/** The text of the question: title, files, strength, checks and points. */
function composeQuestion(proposal: Proposal): string {
  const { title, rationale, edits, verdicts, strength, claim, pointsBefore, pointsAfter } = proposal;
  const pointsDelta = computePointsDelta(proposal);
  const { added, removed } = countChangedLines(edits);
  const pointsText =
    pointsBefore && pointsAfter && pointsDelta !== null
      ? `${pointsBefore.total.toFixed(2)} → ${pointsAfter.total.toFixed(2)} (${pointsDelta >= 0 ? '+' : ''}${pointsDelta.toFixed(3)})`
      : 'unknown';
  const neededVerdicts = verdicts.filter((verdict) => toShownOutcome(verdict, proposal) !== 'not needed');
  const unknownReasons = neededVerdicts
    .filter(({ outcome }) => outcome === 'unknown')
    .map(({ gate, reason }) => `${checkLabel(gate)}: ${reason}`);
  return [
    `Selfware: ${title}`,
    rationale,
    `Files: ${edits.map(({ path }) => path).join(', ')} · ${formatCount(added, 'line')} added, ${removed} ` +
      `removed · ${describeEffect(addShownEffect(proposal))}`,
    ...[describeClaim(claim) ?? []].flat(),
    ...(strength ? [`${strengthText(strength)}: ${explainStrength(strength, verdicts)}`] : []),
    `Checks: ${neededVerdicts.map(({ gate, outcome }) => `${checkLabel(gate)} ${MARK_BY_OUTCOME[outcome]}`).join(', ') || 'none ran'}`,
    ...unknownReasons,
    `Points: ${pointsText}`,
  ].join('\n');
}

/** Opens the diff as a document in the editor. False if the client cannot show documents, or has not shown this one. */
async function showDiff({ connection, abilities }: ServerContext, proposal: Proposal): Promise<boolean> {
  if (!abilities.showsDocuments) return false;
  // Only the user may read the file. It is not deleted here; the system cleans up its temporary files.
  const file = join(await mkdtemp(join(tmpdir(), 'selfware-review-')), `${proposal.id}.diff`);
  await writeFile(file, formatUnifiedDiff(proposal.edits), { mode: 0o600 });
  const { success } = await connection.sendRequest(ShowDocumentRequest.type, {
    uri: pathToFileURL(file).href,
    takeFocus: false,
  });
  return success;
}

function cutToFirstLines(text: string): string {
  const lines = text.split('\n');
  return lines.length <= MAX_MESSAGE_LINES
    ? text
    : [...lines.slice(0, MAX_MESSAGE_LINES), `… ${formatCount(lines.length - MAX_MESSAGE_LINES, 'more line')}`].join(
        '\n',
      );
}
