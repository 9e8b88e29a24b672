// Shows the buttons of a review as code lenses, on the side with the new text.

import * as vscode from 'vscode';
import type { Drafts } from './drafts.ts';
import { findEditedTexts } from './typedText.ts';
import { createLensRows, type LensRow } from './lensRows.ts';
import { parseProposalUri, proposalScheme } from './proposalUri.ts';
import type { Reviews } from './reviews.ts';

/** Registers the code lenses of reviews. They are refreshed whenever a review changes. */
export function registerReviewCodeLens(reviews: Reviews, drafts: Drafts): vscode.Disposable {
  const lensesChanged = new vscode.EventEmitter<void>();
  const provider: vscode.CodeLensProvider = {
    onDidChangeCodeLenses: lensesChanged.event,
    provideCodeLenses: async (document) => {
      const place = parseProposalUri(document.uri);
      if (place?.side !== 'after') return [];
      const review = await reviews.get(place.proposal);
      const file = review.files.find(({ path }) => path === place.path);
      if (!file) return [];
      const isEdited = findEditedTexts(review, drafts).length > 0;
      return createLensRows({
        review,
        file,
        text: document.getText(),
        skipped: reviews.skipped(review.id),
        isEdited: isEdited,
      }).map(createLens);
    },
  };
  const registration = vscode.languages.registerCodeLensProvider({ scheme: proposalScheme }, provider);
  return vscode.Disposable.from(
    lensesChanged,
    reviews.onChange(() => lensesChanged.fire()),
    registration,
  );
}

function createLens({ line, title, command, argument, tooltip }: LensRow): vscode.CodeLens {
  return new vscode.CodeLens(new vscode.Range(line, 0, line, 0), {
    title,
    command,
    ...(tooltip ? { tooltip } : {}),
    arguments: [argument],
  });
}
