// Defines the services that all commands of the extension share. `activate` creates them once.

import type * as vscode from 'vscode';
import type { Server } from './server/languageClient.ts';
import type { ReportPages } from './pages/reportPages.ts';
import type { StoredKeys } from './models/storedKeys.ts';
import type { Drafts } from './review/drafts.ts';
import type { PreviewTexts } from './review/previewTexts.ts';
import type { Reviews } from './review/reviews.ts';
import type { StateFeed } from './status/stateFeed.ts';

/** The services that every command may use. */
export interface ClientContext {
  readonly server: Server;
  readonly feed: StateFeed;
  readonly reviews: Reviews;
  readonly drafts: Drafts;
  readonly previews: PreviewTexts;
  readonly pages: ReportPages;
  readonly keys: StoredKeys;
  readonly output: vscode.LogOutputChannel;
  /** Values that VS Code stores for this workspace across windows and restarts. */
  readonly memory: vscode.Memento;
  /** Root of the installed extension. */
  readonly extensionUri: vscode.Uri;
}
