// Opens, finds and closes review editors. Only a user's own command opens one: a review never takes the focus by itself.

import * as vscode from 'vscode';
import type { Review } from '#protocol/review';
import { proposalPlace, proposalUri } from './proposalUri.ts';
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
  const review = await reviews.get(proposal);
  const tabs = allTabs().filter((tab) => (tab.input instanceof vscode.TabInputTextDiff ? proposalPlace(tab.input.modified)?.proposal === proposal : isMultiDiff(tab) && tab.label.startsWith(reviewTitle(review))));
  if (tabs.length) await vscode.window.tabGroups.close(tabs);
}

/** The proposal whose review is in front, or null. */
export async function activeProposal(known: () => Promise<readonly { readonly id: string; readonly title: string }[]>): Promise<string | null> {
  const place = activePlace();
  if (place) return place.proposal;
  const tab = vscode.window.tabGroups.activeTabGroup.activeTab;
  if (!tab || !isMultiDiff(tab)) return null;
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
    const reviewing = activePlace() !== null || (tab !== undefined && isMultiDiff(tab) && tab.label.startsWith('Selfware: '));
    void vscode.commands.executeCommand('setContext', 'selfware.reviewing', reviewing);
  };
  update();
  return vscode.Disposable.from(vscode.window.tabGroups.onDidChangeTabs(update), vscode.window.tabGroups.onDidChangeTabGroups(update));
}

function activePlace() {
  const input = vscode.window.tabGroups.activeTabGroup.activeTab?.input;
  return input instanceof vscode.TabInputTextDiff ? proposalPlace(input.modified) : null;
}

/** VS Code's stable API knows the multi-file diff by exclusion only: a tab without an input that it can name. */
function isMultiDiff(tab: vscode.Tab): boolean {
  return tab.input === undefined || tab.input === null;
}

function allTabs(): vscode.Tab[] {
  return vscode.window.tabGroups.all.flatMap(({ tabs }) => tabs);
}
