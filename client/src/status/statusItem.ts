// Shows Selfware's state and the points in the status bar; a click opens a menu.

import * as vscode from 'vscode';
import type { Server } from '../server/languageClient.ts';
import type { StateFeed } from './stateFeed.ts';
import { isForegroundActivity, composeStatus } from './statusText.ts';

/** Milliseconds between two updates of the elapsed time. */
const REFRESH_MS = 1000;

/** Creates the status bar item, which follows the state until it is disposed. */
export function createStatusItem(feed: StateFeed, server: Server): vscode.Disposable {
  const item = vscode.window.createStatusBarItem('selfware.status', vscode.StatusBarAlignment.Left, 0);
  /**
   * When the person began to wait, in milliseconds since the epoch. It stays the same while one activity follows
   * another.
   */
  let waitingSince: number | null = null;
  let timer: NodeJS.Timeout | undefined;
  item.name = 'Selfware';
  item.command = 'selfware.showMenu';
  update();
  item.show();
  let wasRestarting = false;
  const lifeSubscription = server.onLifeChanged((newLife) => {
    update();
    if (newLife === 'running' && wasRestarting)
      vscode.window.setStatusBarMessage(
        '$(debug-restart) Selfware: the language server had stopped and runs again; indexing continues where it was.',
        15_000,
      );
    wasRestarting = newLife === 'restarting';
  });
  return vscode.Disposable.from(item, lifeSubscription, feed.onChange(update), { dispose: () => clearInterval(timer) });

  function update(): void {
    const isWaiting = feed.current !== null && isForegroundActivity(feed.current);
    if (!isWaiting || waitingSince === null) {
      clearInterval(timer);
      waitingSince = isWaiting ? Date.now() : null;
      timer = isWaiting ? setInterval(update, REFRESH_MS) : undefined;
    }
    const { text, tooltip, isProminent } = composeStatus(
      feed.current,
      feed.failure,
      server.life,
      waitingSince === null ? 0 : Date.now() - waitingSince,
    );
    item.text = text;
    item.tooltip = tooltip;
    item.backgroundColor = isProminent ? new vscode.ThemeColor('statusBarItem.prominentBackground') : undefined;
    item.accessibilityInformation = {
      label: `Selfware: ${text.replace(/\$\([^()]*\)\s*/g, '')}. ${tooltip.replace(/\.?\n/g, '. ')}`,
      role: 'button',
    };
  }
}
