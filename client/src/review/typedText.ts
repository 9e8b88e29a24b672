// Stores the text that a person types into a review, so that it survives a restart, and collects it when the proposal
// is applied.

import * as vscode from 'vscode';
import type { CorrectedText, Review } from '#protocol/review';
import type { Drafts } from './drafts.ts';
import { parseProposalUri } from './proposalUri.ts';

/** Milliseconds without typing after which the text is stored. */
const STORE_DELAY_MS = 300;

/**
 * Stores text that is typed into reviews, after each pause in typing. When a document is closed, its unsaved text is
 * discarded.
 */
export function storeTypedText(drafts: Drafts): vscode.Disposable {
  const timers = new Map<string, NodeJS.Timeout>();
  const scheduleStore = (document: vscode.TextDocument, millis: number, text: () => string | null): void => {
    const location = parseProposalUri(document.uri);
    if (location?.side !== 'after') return;
    const key = document.uri.toString();
    clearTimeout(timers.get(key));
    timers.set(
      key,
      setTimeout(() => {
        timers.delete(key);
        void drafts.storeUnsaved(location.proposal, location.path, text());
      }, millis),
    );
  };
  return vscode.Disposable.from(
    vscode.workspace.onDidChangeTextDocument(({ document }) =>
      scheduleStore(document, STORE_DELAY_MS, () => (document.isDirty ? document.getText() : null)),
    ),
    vscode.workspace.onDidCloseTextDocument((document) => scheduleStore(document, 0, () => null)),
    { dispose: () => timers.forEach((timer) => clearTimeout(timer)) },
  );
}

/** The files whose text the person has edited, with the edited text, unsaved edits included. */
export function findEditedTexts(review: Review, drafts: Drafts): readonly CorrectedText[] {
  return review.files.flatMap(({ path, after }) => {
    const text = findOpenDocument(review.id, path)?.getText() ?? drafts.get(review.id, path)?.text ?? after;
    return text === after ? [] : [{ path, after: text }];
  });
}

/** Saves typed text as drafts, so that VS Code does not ask about unsaved documents when the review closes. */
export async function saveEditedDocuments(review: Review): Promise<void> {
  for (const { path } of review.files) {
    const document = findOpenDocument(review.id, path);
    if (document?.isDirty) await document.save();
  }
}

/** The open document with the new text of a file; undefined if it is not open. */
function findOpenDocument(proposal: string, path: string): vscode.TextDocument | undefined {
  return vscode.workspace.textDocuments.find(({ uri, isClosed }) => {
    const location = isClosed ? null : parseProposalUri(uri);
    return location?.side === 'after' && location.proposal === proposal && location.path === path;
  });
}
