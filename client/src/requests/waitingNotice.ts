// Shows one notification about requests and tasks that wait for the person: once after the window was opened or
// reloaded, and when another one begins to wait.

import * as vscode from 'vscode';
import type { ClientContext } from '../context.ts';
import { guard, showNotice } from '../messages.ts';
import { needingByKey } from './requestText.ts';

const NEVER_AGAIN = "Don't Show Again";

/** Follows what waits, until the result is disposed. What the person has just seen fail is not announced again. */
export function announceWaiting({ feed, server, output }: ClientContext): vscode.Disposable {
  const announcedByFolder = new Map<string, Set<string>>();
  return feed.onChange(() => {
    const { current } = feed;
    if (!current || feed.failure !== null || current.folder === '') return;
    const needing = needingByKey(current);
    const announced = announcedByFolder.get(current.folder) ?? new Set<string>();
    const fresh = [...needing].filter(([key]) => !announced.has(key));
    announcedByFolder.set(current.folder, new Set([...announced, ...needing.keys()]));
    if (fresh.length > 0 && server.executing === 0)
      void guard(output, () =>
        notify(
          fresh.map(([, sentence]) => sentence),
          fresh.length,
        ),
      );
  });
}

async function notify(sentences: readonly string[], count: number): Promise<void> {
  const configuration = vscode.workspace.getConfiguration('selfware');
  if (!configuration.get('notifications.decisions', true)) return;
  const [what, show] = ['What Can I Do?', 'Show'];
  const sentence = count === 1 ? sentences[0]! : `${count} requests and tasks wait for you.`;
  const choice = await showNotice('warning', `Selfware: ${sentence}`, what, show, NEVER_AGAIN);
  if (choice === what) await vscode.commands.executeCommand('selfware.requests', {});
  if (choice === show) await vscode.commands.executeCommand('selfware.sidebar.focus');
  if (choice === NEVER_AGAIN)
    await configuration.update('notifications.decisions', false, vscode.ConfigurationTarget.Global);
}
