// The status bar item: state and points; a click opens the sidebar.

import * as vscode from 'vscode';
import type { StateFeed } from './stateFeed.ts';
import { statusText } from './statusText.ts';

export function createStatusItem(feed: StateFeed): vscode.Disposable {
  const item = vscode.window.createStatusBarItem('selfware.status', vscode.StatusBarAlignment.Left, 0);
  item.name = 'Selfware';
  item.command = 'selfware.showSidebar';
  show();
  item.show();
  return vscode.Disposable.from(item, feed.onChange(show));

  function show(): void {
    const { text, tooltip, prominent } = statusText(feed.current, feed.failure);
    item.text = text;
    item.tooltip = tooltip;
    item.backgroundColor = prominent ? new vscode.ThemeColor('statusBarItem.prominentBackground') : undefined;
    item.accessibilityInformation = { label: `Selfware: ${text.replace(/\$\([^)]*\)\s*/g, '')}. ${tooltip.replaceAll('\n', '. ')}`, role: 'button' };
  }
}
