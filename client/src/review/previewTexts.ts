// The virtual documents into which a Refactor Preview writes, so that nothing reaches a real file before it is
// verified.

import type * as vscode from 'vscode';

/** The texts of these documents by their addresses. */
export interface PreviewTexts {
  /** A text and when it was written, in milliseconds since the epoch; null if nothing was written there. */
  get(uri: vscode.Uri): { readonly text: string; readonly at: number } | null;
  put(uri: vscode.Uri, text: string): void;
  clear(): void;
}

/** Creates the virtual documents, none at first. */
export function createPreviewTexts(): PreviewTexts {
  const texts = new Map<string, { readonly text: string; readonly at: number }>();
  return {
    get: (uri) => texts.get(uri.toString()) ?? null,
    put: (uri, text) => void texts.set(uri.toString(), { text, at: Date.now() }),
    clear: () => texts.clear(),
  };
}
