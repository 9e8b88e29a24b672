// Holds the virtual documents into which VS Code's Refactor Preview writes, so that no change reaches a real file
// before it is verified.

import type * as vscode from 'vscode';

/** The texts of these documents by URI. */
export interface PreviewTexts {
  /**
   * The text of a document and the time when it was written, in milliseconds since the epoch; null if nothing was
   * written.
   */
  get(uri: vscode.Uri): { readonly text: string; readonly at: number } | null;
  /** Stores the text of a document, with the current time. */
  put(uri: vscode.Uri, text: string): void;
  /** Removes all documents. */
  clear(): void;
}

/** Creates an empty store of virtual documents. */
export function createPreviewTexts(): PreviewTexts {
  const texts = new Map<string, { readonly text: string; readonly at: number }>();
  return {
    get: (uri) => texts.get(uri.toString()) ?? null,
    put: (uri, text) => void texts.set(uri.toString(), { text, at: Date.now() }),
    clear: () => texts.clear(),
  };
}
