// What the commands share: made once in `activate`.

import type * as vscode from 'vscode';
import type { Server } from './languageClient.ts';
import type { Reviews } from './review/reviews.ts';
import type { StateFeed } from './stateFeed.ts';

export interface ClientContext {
  readonly server: Server;
  readonly feed: StateFeed;
  readonly reviews: Reviews;
  readonly output: vscode.LogOutputChannel;
  /** Root of the installed extension. */
  readonly extensionUri: vscode.Uri;
}
