// Gives VS Code the texts of `selfware-proposal:` documents. They are virtual, so a pending proposal never touches a real one.

import * as vscode from 'vscode';
import { describe } from '../messages.ts';
import { proposalPlace, proposalScheme } from './proposalUri.ts';
import type { Reviews } from './reviews.ts';

/** Documents that a reloaded window restores are asked for before the server is up: the provider waits for it. */
export function registerProposalContent(reviews: Reviews): vscode.Disposable {
  return vscode.workspace.registerTextDocumentContentProvider(proposalScheme, {
    provideTextDocumentContent: async (uri) => {
      const place = proposalPlace(uri);
      if (!place) return '';
      try {
        const review = await reviews.get(place.proposal);
        return review.files.find(({ path }) => path === place.path)?.[place.side] ?? '';
      } catch (error) {
        return `This proposal cannot be shown. ${describe(error)}\n`;
      }
    },
  });
}
