// The buttons inside a review: for the whole proposal on top, for each hunk above it. On the after side only.

import * as vscode from 'vscode';
import type { Review, ReviewFile } from '#protocol/review';
import { correctedTexts, type Drafts } from './drafts.ts';
import { lineIn } from './hunkTexts.ts';
import { proposalPlace, proposalScheme } from './proposalUri.ts';
import type { Reviews } from './reviews.ts';
import { applyTitle, gatesTitle, hunksOf, isOpen, pointsSummary, verdictSummary } from './reviewText.ts';

export function registerReviewCodeLens(reviews: Reviews, drafts: Drafts): vscode.Disposable {
  const changed = new vscode.EventEmitter<void>();
  const provider: vscode.CodeLensProvider = {
    onDidChangeCodeLenses: changed.event,
    provideCodeLenses: async (document) => {
      const place = proposalPlace(document.uri);
      if (place?.side !== 'after') return [];
      const review = await reviews.get(place.proposal);
      const file = review.files.find(({ path }) => path === place.path);
      if (!file || !isOpen(review)) return [lens(0, review.status === 'rolledBack' ? 'rolled back' : review.status, 'selfware.evidence', { proposal: review.id })];
      const skipped = reviews.skipped(review.id);
      const edited = correctedTexts(review, drafts).length > 0;
      const ofHunks = hunkCount(review) > 1 ? hunksLenses(review, file, document, skipped) : [];
      return [
        ...decisionLenses(review, skipped.size, edited),
        ...(review.files.length > 1 && file.hunks.length > 1 ? fileLenses(review, file, skipped) : []),
        ...ofHunks,
        // Once, on top of all of them.
        ...(file === review.files[0] ? evidenceLenses(review, ofHunks) : []),
      ];
    },
  };
  return vscode.Disposable.from(changed, reviews.onChange(() => changed.fire()), vscode.languages.registerCodeLensProvider({ scheme: proposalScheme }, provider));
}

/** The only hunk of a proposal is the proposal. */
function hunkCount({ files }: Review): number {
  return files.reduce((sum, { hunks }) => sum + hunks.length, 0);
}

function decisionLenses({ id: proposal }: Review, skipped: number, edited: boolean): vscode.CodeLens[] {
  return [
    lens(0, applyTitle(skipped, edited), 'selfware.applyAll', { proposal }, edited ? 'What you changed is verified again before it is written' : undefined),
    lens(0, 'Reject', 'selfware.reject', { proposal }, 'Says why, and nothing is written'),
    ...(edited ? [lens(0, 'Discard my edits', 'selfware.discardEdits', { proposal }, 'Back to what was proposed')] : []),
  ];
}

/** The only hunk of a file is the file. */
function fileLenses({ id: proposal }: Review, file: ReviewFile, skipped: ReadonlySet<number>): vscode.CodeLens[] {
  const hunks = hunksOf(file);
  const given = { proposal, hunks };
  if (hunks.every((hunk) => skipped.has(hunk))) return [lens(0, 'Include file', 'selfware.skipFile', given)];
  return [
    lens(0, 'Apply file', 'selfware.applyFile', given, 'Applies only what changes in this file; it is verified again before it is written'),
    lens(0, 'Skip file', 'selfware.skipFile', given, 'Leaves this file out of Apply all'),
  ];
}

/** Last on the line: a hunk in the first line has its buttons before them. */
function evidenceLenses(review: Review, others: readonly vscode.CodeLens[]): vscode.CodeLens[] {
  const points = pointsSummary(review);
  const isAsked = others.some(({ range, command }) => range.start.line === 0 && command?.command === 'selfware.why');
  const given = { proposal: review.id };
  return [
    ...(isAsked ? [] : [lens(0, 'Why?', 'selfware.why', given, 'Why this is proposed')]),
    lens(0, points ?? 'Evidence', 'selfware.evidence', given, 'Evidence beside the diff: checks, points by category, tests, where it comes from'),
    lens(0, gatesTitle(review), 'selfware.showVerdicts', given, verdictSummary(review)),
    ...(review.hasTest ? [lens(0, 'Adopt test', 'selfware.adoptTest', given, 'The counterexample as a new, unsaved test')] : []),
  ];
}

function hunksLenses({ id: proposal }: Review, file: ReviewFile, document: vscode.TextDocument, skipped: ReadonlySet<number>): vscode.CodeLens[] {
  const text = document.getText();
  return file.hunks.flatMap(({ index: hunk, afterLine }) => {
    const line = Math.min(lineIn(text, file.after, afterLine), document.lineCount) - 1;
    const given = { proposal, hunk };
    if (skipped.has(hunk)) return [lens(line, 'Skipped', '', given), lens(line, 'Include hunk', 'selfware.skipHunk', given)];
    return [
      lens(line, 'Apply hunk', 'selfware.applyHunk', given, 'Applies only this hunk; it is verified again before it is written'),
      lens(line, 'Skip hunk', 'selfware.skipHunk', given, 'Leaves this hunk out of Apply all'),
      lens(line, 'Why?', 'selfware.why', given, 'Why this is proposed'),
    ];
  });
}

function lens(line: number, title: string, command: string, given: { readonly proposal: string; readonly hunk?: number; readonly hunks?: readonly number[] }, tooltip?: string): vscode.CodeLens {
  return new vscode.CodeLens(new vscode.Range(line, 0, line, 0), { title, command, ...(tooltip ? { tooltip } : {}), arguments: [given] });
}
