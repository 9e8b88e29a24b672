// The commands for applied changes: run their checks, keep a change without waiting for its checks, and commit the kept
// changes.

import * as vscode from 'vscode';
import type { CommandOutcome } from '#protocol/review';
import type { ClientContext } from './context.ts';
import { showMessage, showFailure } from './messages.ts';
import { withProgress } from './server/withProgress.ts';

/**
 * Runs the checks of all changes in probation; each change is then kept or rolled back. Undefined if the person
 * cancelled.
 */
export async function judgeChanges(context: ClientContext): Promise<CommandOutcome | undefined> {
  return showResult(context, await withProgress(context, 'Judging changes', 'judge', {}));
}

/**
 * Keeps an applied change without waiting for its checks. `proposal`: the id of its proposal; if undefined, the server
 * keeps the newest change that is in probation or has failed it. Asks for a reason unless one is given. Undefined if
 * the person cancelled.
 */
export async function keepChange(
  context: ClientContext,
  proposal: string | undefined,
  givenReason?: string,
): Promise<CommandOutcome | undefined> {
  const reason =
    givenReason ??
    (await vscode.window.showInputBox({
      title: 'Keep Change',
      prompt: 'Why? You may leave the reason empty. Escape lets the checks decide.',
      placeHolder: 'The checks no longer decide about it',
    }));
  if (reason === undefined) return undefined;
  return showResult(
    context,
    await context.server.execute('keep', {
      ...(proposal === undefined ? {} : { proposal }),
      ...(reason === '' ? {} : { reason }),
    }),
  );
}

/**
 * Commits the change of the given proposal, or all kept changes that are not committed yet. Asks for the branch unless
 * one is given. Undefined if the person cancelled.
 */
export async function commitChanges(
  context: ClientContext,
  preset: { readonly proposal?: string; readonly branch?: string },
): Promise<CommandOutcome | undefined> {
  const configuredBranch = vscode.workspace.getConfiguration('selfware').get('commit.branch', '');
  const branch =
    preset.branch ??
    (await vscode.window.showInputBox({
      title: 'Commit Kept Changes',
      prompt:
        'On which branch? It is created if it does not exist. Your work tree and the checked-out branch stay as they are; nothing is pushed.',
      value: configuredBranch,
      validateInput: (name) => (name.trim() === '' ? 'A branch needs a name.' : null),
    }));
  if (branch === undefined) return undefined;
  return showResult(
    context,
    await withProgress(context, 'Committing', 'commit', {
      branch: branch.trim(),
      ...(preset.proposal === undefined ? {} : { changes: [preset.proposal] }),
    }),
  );
}

/** Refreshes the sidebar and shows the message of the outcome. Returns the outcome unchanged. */
async function showResult(
  { feed, output }: ClientContext,
  outcome: CommandOutcome | undefined,
): Promise<CommandOutcome | undefined> {
  await feed.refresh();
  if (outcome?.ok) void showMessage(outcome.message);
  else if (outcome) showFailure(outcome, output);
  return outcome;
}
