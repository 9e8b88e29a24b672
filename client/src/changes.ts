// Commands for applied changes: check them, keep them, commit the kept ones.

import * as vscode from 'vscode';
import type { CommandOutcome } from '#protocol/review';
import type { ClientContext } from './context.ts';
import { say, tellTrouble } from './messages.ts';
import { withProgress } from './server/withProgress.ts';

/** Runs the checks of changes in probation; each change is kept or rolled back. Undefined if the user cancelled. */
export async function judgeChanges(context: ClientContext): Promise<CommandOutcome | undefined> {
  return tell(context, await withProgress(context, 'Judging changes', 'judge', {}));
}

/**
 * Without a proposal: the newest change that is in probation or has failed it. Asks first, because nobody looks at the
 * change again afterwards.
 */
export async function keepChange(
  context: ClientContext,
  proposal: string | undefined,
  given?: string,
): Promise<CommandOutcome | undefined> {
  const reason =
    given ??
    (await vscode.window.showInputBox({
      title: 'Keep Change',
      prompt: 'Why? You may leave the reason empty. Escape lets the checks decide.',
      placeHolder: 'The checks no longer decide about it',
    }));
  if (reason === undefined) return undefined;
  return tell(
    context,
    await context.server.execute('keep', {
      ...(proposal === undefined ? {} : { proposal }),
      ...(reason === '' ? {} : { reason }),
    }),
  );
}

/** Commits all kept changes that are not committed yet, or the given ones, to a branch that the person names. */
export async function commitChanges(
  context: ClientContext,
  given: { readonly proposal?: string; readonly branch?: string },
): Promise<CommandOutcome | undefined> {
  const usual = vscode.workspace.getConfiguration('selfware').get('commit.branch', '');
  const branch =
    given.branch ??
    (await vscode.window.showInputBox({
      title: 'Commit Kept Changes',
      prompt:
        'On which branch? It is created if it does not exist. Your work tree and the checked-out branch stay as they are; nothing is pushed.',
      value: usual,
      validateInput: (name) => (name.trim() === '' ? 'A branch needs a name.' : null),
    }));
  if (branch === undefined) return undefined;
  return tell(
    context,
    await withProgress(context, 'Committing', 'commit', {
      branch: branch.trim(),
      ...(given.proposal === undefined ? {} : { changes: [given.proposal] }),
    }),
  );
}

async function tell(
  { feed, output }: ClientContext,
  outcome: CommandOutcome | undefined,
): Promise<CommandOutcome | undefined> {
  await feed.refresh();
  if (outcome?.ok) void say(outcome.message);
  else if (outcome) tellTrouble(outcome, output);
  return outcome;
}
