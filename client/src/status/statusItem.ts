// The status bar item: state and points; a click opens the menu.

import * as vscode from 'vscode';
import type { Server } from '../server/languageClient.ts';
import type { StateFeed } from './stateFeed.ts';
import { isWaitedFor, statusText } from './statusText.ts';

const everySecond = 1000;

export function createStatusItem(feed: StateFeed, server: Server): vscode.Disposable {
  const item = vscode.window.createStatusBarItem('selfware.status', vscode.StatusBarAlignment.Left, 0);
  /** When the person began to wait, whatever the current step. */
  let since: number | null = null;
  let tick: NodeJS.Timeout | undefined;
  item.name = 'Selfware';
  item.command = 'selfware.showMenu';
  show();
  item.show();
  let restarting = false;
  const life = server.onLifeChanged((next) => {
    show();
    if (next === 'running' && restarting)
      vscode.window.setStatusBarMessage(
        '$(debug-restart) Selfware: the language server had stopped and runs again; indexing continues where it was.',
        15_000,
      );
    restarting = next === 'restarting';
  });
  return vscode.Disposable.from(item, life, feed.onChange(show), { dispose: () => clearInterval(tick) });

  function show(): void {
    const isWaiting = feed.current !== null && isWaitedFor(feed.current);
    if (!isWaiting || since === null) {
      clearInterval(tick);
      since = isWaiting ? Date.now() : null;
      tick = isWaiting ? setInterval(show, everySecond) : undefined;
    }
    const { text, tooltip, prominent } = statusText(
      feed.current,
      feed.failure,
      server.life,
      since === null ? 0 : Date.now() - since,
    );
    item.text = text;
    item.tooltip = tooltip;
    item.backgroundColor = prominent ? new vscode.ThemeColor('statusBarItem.prominentBackground') : undefined;
    item.accessibilityInformation = {
      label: `Selfware: ${text.replace(/\$\([^()]*\)\s*/g, '')}. ${tooltip.replaceAll('\n', '. ')}`,
      role: 'button',
    };
  }
}
