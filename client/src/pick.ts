// Asks for a proposal to review, or for a checkpoint to roll back to or to verify. In a workspace of several folders,
// the lists also offer to switch to another folder.

import * as vscode from 'vscode';
import type { CheckpointState } from '#protocol/state';
import type { ClientContext } from './context.ts';
import { formatGainOf } from './review/reviewText.ts';
import { chooseFolder } from './folders.ts';
import { showMessage } from './messages.ts';

/** An entry of a list. Either `id` or `folder` is set. */
interface PickItem extends vscode.QuickPickItem {
  readonly id?: string;
  /** URI of the folder to switch to before the question is asked again; null if the person is to choose the folder. */
  readonly folder?: string | null;
}

/**
 * Asks for a proposal and returns its id. If only one waits in all folders, it is returned without asking. Undefined if
 * there is none or the user cancelled. `isThisFolderOnly`: true to offer no other folders.
 */
export async function pickProposal(context: ClientContext, isThisFolderOnly = false): Promise<string | undefined> {
  const { pending, folder, folders } = await context.feed.refresh();
  const otherFolders = isThisFolderOnly ? [] : folders.filter(({ uri, waiting }) => uri !== folder && waiting);
  if (pending.length === 0 && otherFolders.length === 0) {
    void showMessage('No proposal waits for a decision. Run "Selfware: Improve" to make one.');
    return undefined;
  }
  if (pending.length === 1 && otherFolders.length === 0) return pending[0]?.id;
  const items: PickItem[] = [
    ...pending.map(({ id, title, paths, ...gains }) => ({
      id,
      label: title,
      description: formatGainOf(gains) ?? '',
      detail: paths.join(', '),
    })),
    ...otherFolders.map(({ uri, name, waiting }) => ({
      folder: uri,
      label: `$(root-folder) ${name}`,
      description: waiting === 1 ? '1 decision waits there' : `${waiting} decisions wait there`,
    })),
  ];
  return pickIdOrFolder(
    context,
    items,
    { title: 'Review Proposal', placeHolder: 'Proposals that wait for your decision' },
    () => pickProposal(context, true),
  );
}

/** The texts of the list for each purpose of picking a checkpoint, and the filter of the checkpoints that fit it. */
const CHECKPOINT_PURPOSES = {
  rollBack: {
    title: 'Roll Back',
    placeHolder: 'Restores the files of the chosen change as they were before it',
    nothingMessage: 'There is nothing to roll back: no change was applied.',
    isOffered: ({ rolledBack, fate }: CheckpointState) => !rolledBack && fate !== 'undone',
  },
  verify: {
    title: 'Verify Change',
    placeHolder: 'Runs the checks of the chosen change again, on the tree as it was before it',
    nothingMessage: 'There is nothing to verify again: no change was kept.',
    isOffered: ({ fate }: CheckpointState) => fate === 'kept' || fate === 'committed',
  },
} as const;

/** Asks for a checkpoint, newest first, and returns its id. Undefined if there is none or the user cancelled. */
export async function pickCheckpoint(
  context: ClientContext,
  purpose: keyof typeof CHECKPOINT_PURPOSES,
): Promise<string | undefined> {
  const { title, placeHolder, nothingMessage, isOffered } = CHECKPOINT_PURPOSES[purpose];
  const { checkpoints, folders } = await context.feed.refresh();
  const items: PickItem[] = [
    ...checkpoints.filter(isOffered).map(({ id, title, createdAt, paths }) => ({
      id,
      label: title,
      description: new Date(createdAt).toLocaleString(),
      detail: paths.join(', '),
    })),
    ...(folders.length > 1 ? [{ folder: null, label: '$(root-folder) Another folder…' }] : []),
  ];
  if (items.length === 0) {
    void showMessage(nothingMessage);
    return undefined;
  }
  return pickIdOrFolder(context, items, { title, placeHolder }, () => pickCheckpoint(context, purpose));
}

/**
 * Shows the list. If the person picks a folder, switches to it and calls `askAgain`. Undefined if the person cancels.
 */
async function pickIdOrFolder(
  context: ClientContext,
  items: readonly PickItem[],
  labels: { readonly title: string; readonly placeHolder: string },
  askAgain: () => Promise<string | undefined>,
): Promise<string | undefined> {
  const choice = await vscode.window.showQuickPick(items, { ...labels, matchOnDetail: true });
  if (choice?.folder === undefined) return choice?.id;
  return (await chooseFolder(context, choice.folder ?? undefined)) === undefined ? undefined : askAgain();
}
