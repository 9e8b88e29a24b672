// Shows one notification about requests and tasks that wait for the person: once after the window was opened or
// reloaded, and when another one begins to wait.

import * as vscode from 'vscode';
import type { ClientContext } from '../context.ts';
import { withErrorBoundary, showNotice } from '../messages.ts';
import { listNeeding, sentencesToAnnounce, type RunningCommand } from './requestText.ts';

const NEVER_AGAIN = "Don't Show Again";
/** What a command leaves waiting is known within this many changes of the state after its end. */
const MAX_CHANGES_AFTER = 3;

/** Follows what waits, until the result is disposed. */
export function announceWaiting({ feed, server, output }: ClientContext): vscode.Disposable {
  const announcedByFolder = new Map<string, ReadonlySet<string>>();
  /** The commands of this window that ran at the last changes, newest first. Each tells the person itself how it ended. */
  let ranBefore: readonly (readonly RunningCommand[])[] = [];
  return feed.onChange(() => {
    const { current } = feed;
    ranBefore = [[...server.running], ...ranBefore.slice(0, MAX_CHANGES_AFTER)];
    const ownCommands = ranBefore.flat();
    // Nothing is known to wait before the folder was read once.
    if (!current || feed.failure !== null || current.index === null) return;
    const needing = listNeeding(current);
    const announced = announcedByFolder.get(current.folder);
    const sentences = sentencesToAnnounce(needing, announced ?? null, ownCommands);
    announcedByFolder.set(current.folder, new Set([...(announced ?? []), ...needing.map(({ key }) => key)]));
    if (sentences.length > 0) void withErrorBoundary(output, () => notify(sentences));
  });
}

async function notify(sentences: readonly string[]): Promise<void> {
  const configuration = vscode.workspace.getConfiguration('selfware');
  if (!configuration.get('notifications.decisions', true)) return;
  const [helpLabel, showLabel] = ['What Can I Do?', 'Show'];
  const sentence = sentences.length === 1 ? sentences[0] : `${sentences.length} requests and tasks wait for you.`;
  const choice = await showNotice('warning', `Selfware: ${sentence}`, helpLabel, showLabel, NEVER_AGAIN);
  if (choice === helpLabel) await vscode.commands.executeCommand('selfware.requests', {});
  if (choice === showLabel) await vscode.commands.executeCommand('selfware.sidebar.focus');
  if (choice === NEVER_AGAIN)
    await configuration.update('notifications.decisions', false, vscode.ConfigurationTarget.Global);
}
