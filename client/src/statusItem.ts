// The status bar item: state and points; a click opens the menu.

import * as vscode from 'vscode';
import type { Server } from './languageClient.ts';
import type { StateFeed } from './stateFeed.ts';
import { statusText } from './statusText.ts';

export function createStatusItem(feed: StateFeed, server: Server): vscode.Disposable {
  const item = vscode.window.createStatusBarItem('selfware.status', vscode.StatusBarAlignment.Left, 0);
  item.name = 'Selfware';
  item.command = 'selfware.showMenu';
  show();
  item.show();
  let restarting = false;
  const life = server.onLifeChanged((next) => {
    show();
    if (next === 'running' && restarting)
      vscode.window.setStatusBarMessage(
        '$(debug-restart) Selfware: the language server had stopped and runs again; indexing goes on where it was.',
        15_000,
      );
    restarting = next === 'restarting';
  });
  return vscode.Disposable.from(item, life, feed.onChange(show));

  function show(): void {
    const { text, tooltip, prominent } = statusText(feed.current, feed.failure, server.life);
    item.text = text;
    item.tooltip = tooltip;
    item.backgroundColor = prominent ? new vscode.ThemeColor('statusBarItem.prominentBackground') : undefined;
    item.accessibilityInformation = {
      label: `Selfware: ${text.replace(/\$\([^()]*\)\s*/g, '')}. ${tooltip.replaceAll('\n', '. ')}`,
      role: 'button',
    };
  }
}
