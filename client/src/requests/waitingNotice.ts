// Notifies the person of requests and tasks that wait for them: once after the window is opened or reloaded, and
// whenever another one begins to wait.

import * as vscode from 'vscode';
import type { ClientContext } from '../context.ts';
import { withErrorBoundary, showNotice } from '../messages.ts';
import { listWaitingEntries, findSentencesToAnnounce, type RunningCommand } from './requestText.ts';

const NEVER_SHOW_LABEL = "Don't Show Again";
/**
 * Number of state changes after the end of a command during which the entries that it was about are not announced. The
 * command has reported them itself, and their state may arrive late.
 */
const MAX_CHANGES_AFTER = 3;

/** Announces waiting requests and tasks until the result is disposed. */
export function announceWaiting({ feed, server, output }: ClientContext): vscode.Disposable {
  const announcedByFolder = new Map<string, ReadonlySet<string>>();
  /**
   * The commands of this window that were running at each of the last state changes, newest first. Each command reports
   * its own outcome, so that is not announced again.
   */
  let recentCommands: readonly (readonly RunningCommand[])[] = [];
  return feed.onChange(() => {
    const { current } = feed;
    recentCommands = [[...server.running], ...recentCommands.slice(0, MAX_CHANGES_AFTER)];
    const reportingCommands = recentCommands.flat();
    // Before the folder has been indexed, the state may lack some of the entries that wait.
    if (!current || feed.failure !== null || current.index === null) return;
    const waitingEntries = listWaitingEntries(current);
    const announcedKeys = announcedByFolder.get(current.folder);
    const sentences = findSentencesToAnnounce(waitingEntries, announcedKeys ?? null, reportingCommands);
    announcedByFolder.set(current.folder, new Set([...(announcedKeys ?? []), ...waitingEntries.map(({ key }) => key)]));
    if (sentences.length > 0) void withErrorBoundary(output, () => notifyOfWaiting(sentences));
  });
}

/** Shows one notification for these sentences, unless the setting `notifications.decisions` is off. */
async function notifyOfWaiting(sentences: readonly string[]): Promise<void> {
  const configuration = vscode.workspace.getConfiguration('selfware');
  if (!configuration.get('notifications.decisions', true)) return;
  const [helpLabel, showLabel] = ['What Can I Do?', 'Show'];
  const sentence = sentences.length === 1 ? sentences[0] : `${sentences.length} requests and tasks wait for you.`;
  const choice = await showNotice('warning', `Selfware: ${sentence}`, helpLabel, showLabel, NEVER_SHOW_LABEL);
  if (choice === helpLabel) await vscode.commands.executeCommand('selfware.requests', {});
  if (choice === showLabel) await vscode.commands.executeCommand('selfware.sidebar.focus');
  if (choice === NEVER_SHOW_LABEL)
    await configuration.update('notifications.decisions', false, vscode.ConfigurationTarget.Global);
}
