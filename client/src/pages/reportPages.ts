// Holds the report pages that were made on request. They exist until the window is closed or reloaded, and show the
// state at the time when they were made.

import * as vscode from 'vscode';
import { rewriteFileLinks } from './placeLinks.ts';

/** The texts of report pages by URI. */
export interface ReportPages {
  /** Fires when a page has a new text. */
  readonly onChange: vscode.Event<vscode.Uri>;
  /** Stores the text of a page; its links to files are rewritten for the preview. */
  put(uri: vscode.Uri, markdown: string): void;
  /**
   * The text of a page and the time when it was made, in milliseconds since the epoch. For a page from before a reload
   * of the window, the text states that it is lost, and `at` is 0.
   */
  get(uri: vscode.Uri): { readonly text: string; readonly at: number };
}

/** Creates an empty store of report pages. */
export function createReportPages(): ReportPages {
  const pages = new Map<string, { readonly text: string; readonly at: number }>();
  const pageChanged = new vscode.EventEmitter<vscode.Uri>();
  return {
    onChange: pageChanged.event,
    put: (uri, text) => {
      const root = vscode.workspace.workspaceFolders?.[0]?.uri.toString();
      pages.set(uri.toString(), { text: rewriteFileLinks(text, root), at: Date.now() });
      pageChanged.fire(uri);
    },
    get: (uri) =>
      pages.get(uri.toString()) ?? {
        text: 'This page was made before the window was reloaded. Run its command again.',
        at: 0,
      },
  };
}
