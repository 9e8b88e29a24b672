// Opens, finds and closes review editors. Only a user's own command opens one: a review never takes the focus by itself.

import * as vscode from 'vscode';
import type { Review } from '#protocol/review';
import { proposalPlace, proposalUri, type ProposalPlace } from './proposalUri.ts';
import type { Reviews } from './reviews.ts';
import { hunkAt, reviewTitle } from './reviewText.ts';

/** A diff for one file, the multi-file diff for several; the cursor is at the first hunk. */
export async function openReview(review: Review): Promise<void> {
  const sides = review.files.map(({ path }) => ({ path, before: proposalUri({ proposal: review.id, side: 'before', path }), after: proposalUri({ proposal: review.id, side: 'after', path }) }));
  const [only] = sides;
  if (sides.length === 1 && only) {
    const line = Math.max(0, (review.files[0]?.hunks[0]?.afterLine ?? 1) - 1);
    const options: vscode.TextDocumentShowOptions = { preview: false, selection: new vscode.Range(line, 0, line, 0) };
    await vscode.commands.executeCommand('vscode.diff', only.before, only.after, reviewTitle(review), options);
  } else {
    await vscode.commands.executeCommand('vscode.changes', reviewTitle(review), sides.map(({ before, after }) => [after, before, after]));
  }
}

/** Closes every tab of the proposal, in whichever group it lies. */
export async function closeReview(proposal: string, reviews: Reviews): Promise<void> {
  const title = reviewTitle(await reviews.get(proposal));
  const tabs = vscode.window.tabGroups.all.flatMap((group) => group.tabs).filter((tab) => (placeOf(tab) ? placeOf(tab)?.proposal === proposal : isNameless(tab) && tab.label.startsWith(title)));
  if (tabs.length) await vscode.window.tabGroups.close(tabs);
}

/** The proposal whose review is in front, or null. */
export async function activeProposal(known: () => Promise<readonly { readonly id: string; readonly title: string }[]>): Promise<string | null> {
  const tab = vscode.window.tabGroups.activeTabGroup.activeTab;
  const place = tab && placeOf(tab);
  if (place) return place.proposal;
  if (!tab || !isNameless(tab)) return null;
  return (await known()).find(({ title }) => tab.label.startsWith(`Selfware: ${title}`))?.id ?? null;
}

/** The hunk at the cursor of the focused side of the active review, or null. */
export async function activeHunk(reviews: Reviews): Promise<number | null> {
  const editor = vscode.window.activeTextEditor;
  const place = editor && proposalPlace(editor.document.uri);
  if (!editor || !place) return null;
  const file = (await reviews.get(place.proposal)).files.find(({ path }) => path === place.path);
  return (file && hunkAt(file, place.side, editor.selection.active.line + 1)?.index) ?? null;
}

/** Keeps the context key `selfware.reviewing` true while a review is in front. */
export function followActiveReview(): vscode.Disposable {
  const update = () => {
    const tab = vscode.window.tabGroups.activeTabGroup.activeTab;
    const reviewing = tab !== undefined && (placeOf(tab) !== null || (isNameless(tab) && tab.label.startsWith('Selfware: ')));
    void vscode.commands.executeCommand('setContext', 'selfware.reviewing', reviewing);
  };
  update();
  return vscode.Disposable.from(vscode.window.tabGroups.onDidChangeTabs(update), vscode.window.tabGroups.onDidChangeTabGroups(update));
}

/** Newer versions of VS Code name the diffs of a multi-file tab; the stable API does not yet. */
function placeOf({ input }: vscode.Tab): ProposalPlace | null {
  if (input instanceof vscode.TabInputTextDiff) return proposalPlace(input.modified);
  const [first] = (input as { textDiffs?: readonly { modified?: vscode.Uri }[] } | undefined)?.textDiffs ?? [];
  return first?.modified ? proposalPlace(first.modified) : null;
}

/** A tab without an input that the API can name, as a multi-file diff is in older versions. */
function isNameless({ input }: vscode.Tab): boolean {
  return input === undefined || input === null;
}
