// Shows the menu of the status bar item, and runs the chosen entry.

import * as vscode from 'vscode';
import type { ClientContext } from '../context.ts';
import { listStatusEntries } from './statusEntries.ts';
import { composeStatus } from './statusText.ts';

/** Shows the menu. Does nothing if the person closes it. */
export async function showStatusMenu({ feed, server }: ClientContext): Promise<void> {
  const { text, tooltip } = composeStatus(feed.current, feed.failure, server.life);
  const items = listStatusEntries(feed.current, server.life === 'gone').map(({ label, command, description }) => ({
    label,
    command,
    ...(description ? { description } : {}),
  }));
  const choice = await vscode.window.showQuickPick(items, {
    title: `Selfware: ${text.replace(/\$\([^()]*\)\s*/g, '')}`,
    placeHolder: tooltip.split('\n').join(' · '),
  });
  // An (empty) argument is passed, so that the command uses the folder of the status bar item and asks for no other.
  if (choice) await vscode.commands.executeCommand(choice.command, {});
}
