// Shows Selfware's state in VS Code's language status, for files in the languages that the extension follows.

import * as vscode from 'vscode';
import type { Server } from '../server/languageClient.ts';
import { documentSelector } from '../languages.ts';
import type { StateFeed } from './stateFeed.ts';
import { composeStatus } from './statusText.ts';

/** Creates the item, which follows the state until it is disposed. */
export function createLanguageStatus(feed: StateFeed, server: Server): vscode.Disposable {
  const item = vscode.languages.createLanguageStatusItem('selfware.language', documentSelector);
  item.name = 'Selfware';
  item.command = { command: 'selfware.showMenu', title: 'Show Menu' };
  update();
  return vscode.Disposable.from(item, feed.onChange(update), server.onLifeChanged(update));

  function update(): void {
    const { text, tooltip } = composeStatus(feed.current, feed.failure, server.life);
    const [detail = ''] = tooltip.split('\n');
    item.text = text.replace(/\$\([^()]*\)\s*/g, '');
    item.detail = detail === item.text ? '' : detail;
    item.busy =
      server.life === 'starting' ||
      server.life === 'restarting' ||
      (feed.current !== null && feed.current.activity !== 'idle' && feed.current.activity !== 'stopped');
    item.severity =
      feed.failure !== null || server.life === 'gone'
        ? vscode.LanguageStatusSeverity.Error
        : vscode.LanguageStatusSeverity.Information;
  }
}
