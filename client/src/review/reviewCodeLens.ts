// The buttons inside a review: for the whole proposal on top, for each hunk above it. On the after side only.

import * as vscode from 'vscode';
import type { Review } from '#protocol/review';
import { proposalPlace, proposalScheme } from './proposalUri.ts';
import type { Reviews } from './reviews.ts';
import { pointsSummary, verdictSummary } from './reviewText.ts';

export function registerReviewCodeLens(reviews: Reviews): vscode.Disposable {
  const changed = new vscode.EventEmitter<void>();
  const provider: vscode.CodeLensProvider = {
    onDidChangeCodeLenses: changed.event,
    provideCodeLenses: async (document) => {
      const place = proposalPlace(document.uri);
      if (place?.side !== 'after') return [];
      const review = await reviews.get(place.proposal);
      const file = review.files.find(({ path }) => path === place.path);
      if (!file || !isOpen(review)) return [lens(0, `${review.status}`, 'selfware.showVerdicts', review.id)];
      const skipped = reviews.skipped(review.id);
      return [...decisionLenses(review.id, skipped.size), ...(hunkCount(review) > 1 ? file.hunks.flatMap((hunk) => hunkLenses(review.id, hunk.index, Math.min(hunk.afterLine, document.lineCount) - 1, skipped.has(hunk.index))) : []), ...evidenceLenses(review)];
    },
  };
  return vscode.Disposable.from(changed, reviews.onChange(() => changed.fire()), vscode.languages.registerCodeLensProvider({ scheme: proposalScheme }, provider));
}

/** Whether a decision is still possible. */
export function isOpen({ status }: Pick<Review, 'status'>): boolean {
  return status === 'verified' || status === 'deferred' || status === 'approved';
}

/** The only hunk of a proposal is the proposal. */
function hunkCount({ files }: Review): number {
  return files.reduce((sum, { hunks }) => sum + hunks.length, 0);
}

function decisionLenses(proposal: string, skipped: number): vscode.CodeLens[] {
  return [lens(0, skipped ? `Apply all but ${skipped} skipped` : 'Apply all', 'selfware.applyAll', proposal), lens(0, 'Reject', 'selfware.reject', proposal)];
}

/** Last on the line: a hunk in the first line has its buttons before them. */
function evidenceLenses(review: Review): vscode.CodeLens[] {
  const points = pointsSummary(review);
  return [lens(0, verdictSummary(review.verdicts), 'selfware.showVerdicts', review.id), ...(points ? [lens(0, points, 'selfware.showVerdicts', review.id)] : [])];
}

function hunkLenses(proposal: string, hunk: number, line: number, skipped: boolean): vscode.CodeLens[] {
  if (skipped) return [lens(line, 'Skipped', '', proposal), lens(line, 'Include hunk', 'selfware.skipHunk', proposal, hunk)];
  return [
    lens(line, 'Apply hunk', 'selfware.applyHunk', proposal, hunk, 'Applies only this hunk; it is verified again before it is written'),
    lens(line, 'Skip hunk', 'selfware.skipHunk', proposal, hunk, 'Leaves this hunk out of Apply all'),
  ];
}

function lens(line: number, title: string, command: string, proposal: string, hunk?: number, tooltip?: string): vscode.CodeLens {
  return new vscode.CodeLens(new vscode.Range(line, 0, line, 0), { title, command, ...(tooltip ? { tooltip } : {}), arguments: [{ proposal, ...(hunk === undefined ? {} : { hunk }) }] });
}
