// Turns text that is typed into reviews into drafts after each pause, and passes it on when a proposal is decided.

import * as vscode from 'vscode';
import type { CorrectedText, Review } from '#protocol/review';
import type { Drafts } from './drafts.ts';
import { proposalPlace } from './proposalUri.ts';

const PAUSE_MS = 300;

/**
 * Saves text that is typed into reviews, a moment after each pause. Text in a tab that is closed without saving is
 * discarded.
 */
export function followTyping(drafts: Drafts): vscode.Disposable {
  const timers = new Map<string, NodeJS.Timeout>();
  const later = (document: vscode.TextDocument, millis: number, text: () => string | null): void => {
    const place = proposalPlace(document.uri);
    if (place?.side !== 'after') return;
    const key = document.uri.toString();
    clearTimeout(timers.get(key));
    timers.set(
      key,
      setTimeout(() => {
        timers.delete(key);
        void drafts.typed(place.proposal, place.path, text());
      }, millis),
    );
  };
  return vscode.Disposable.from(
    vscode.workspace.onDidChangeTextDocument(({ document }) =>
      later(document, PAUSE_MS, () => (document.isDirty ? document.getText() : null)),
    ),
    vscode.workspace.onDidCloseTextDocument((document) => later(document, 0, () => null)),
    { dispose: () => timers.forEach((timer) => clearTimeout(timer)) },
  );
}

/** The files that the person has edited, including unsaved edits. */
export function correctedTexts(review: Review, drafts: Drafts): readonly CorrectedText[] {
  return review.files.flatMap(({ path, after }) => {
    const text = openSide(review.id, path)?.getText() ?? drafts.get(review.id, path)?.text ?? after;
    return text === after ? [] : [{ path, after: text }];
  });
}

/** Moves typed text to the drafts, so that VS Code does not ask about an unsaved document when the review closes. */
export async function saveSides(review: Review): Promise<void> {
  for (const { path } of review.files) {
    const document = openSide(review.id, path);
    if (document?.isDirty) await document.save();
  }
}

function openSide(proposal: string, path: string): vscode.TextDocument | undefined {
  return vscode.workspace.textDocuments.find(({ uri, isClosed }) => {
    const place = isClosed ? null : proposalPlace(uri);
    return place?.side === 'after' && place.proposal === proposal && place.path === path;
  });
}
