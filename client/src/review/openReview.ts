// Opens, finds and closes the editors of reviews. A review opens only after a user's command, so it never takes the
// focus unexpectedly.

import { isNightPage } from '../nights/nightCommands.ts';
import * as vscode from 'vscode';
import type { Review, ReviewFile } from '#protocol/review';
import type { StateFeed } from '../status/stateFeed.ts';
import { isEvidencePageOf, type TitledProposal } from './evidenceName.ts';
import { parseProposalUri, createProposalUri, type ProposalPlace } from './proposalUri.ts';
import type { Reviews } from './reviews.ts';
import { findHunkAt, hunkIndicesOf, createReviewTitle, MULTI_FILE_TITLE_SUFFIX } from './reviewText.ts';

/**
 * Opens the review: for one file, a diff with the cursor at the first hunk; for several files, VS Code's multi-file
 * diff.
 */
export async function openReview(review: Review): Promise<void> {
  const sides = review.files.map(({ path }) => ({
    path,
    before: createProposalUri({ proposal: review.id, side: 'before', path }),
    after: createProposalUri({ proposal: review.id, side: 'after', path }),
  }));
  const [onlySide] = sides;
  if (sides.length === 1 && onlySide) {
    const line = Math.max(0, (review.files[0]?.hunks[0]?.afterLine ?? 1) - 1);
    const options: vscode.TextDocumentShowOptions = { preview: false, selection: new vscode.Range(line, 0, line, 0) };
    await vscode.commands.executeCommand(
      'vscode.diff',
      onlySide.before,
      onlySide.after,
      createReviewTitle(review),
      options,
    );
  } else {
    await vscode.commands.executeCommand(
      'vscode.changes',
      createReviewTitle(review),
      sides.map(({ before, after }) => [after, before, after]),
    );
  }
}

/** Closes every tab of the proposal and of its evidence, in all tab groups. False if no tab was closed. */
export async function closeReview(proposal: string, reviews: Reviews): Promise<boolean> {
  const review = await reviews.get(proposal);
  const tabs = [...collectTabs(review), ...listAllTabs().filter((tab) => showsEvidence(tab, review))];
  return tabs.length > 0 && vscode.window.tabGroups.close(tabs);
}

/** True if a tab shows the review. */
export function hasOpenReview(review: Review): boolean {
  return collectTabs(review).length > 0;
}

/** All tabs that show the review; multi-file diffs without a described input are recognised by their titles. */
function collectTabs(review: Review): readonly vscode.Tab[] {
  const title = createReviewTitle(review);
  return listAllTabs().filter((tab) => {
    const place = findProposalPlace(tab);
    return place ? place.proposal === review.id : hasUnknownInput(tab) && tab.label.startsWith(title);
  });
}

function listAllTabs(): readonly vscode.Tab[] {
  return vscode.window.tabGroups.all.flatMap(({ tabs }) => tabs);
}

/**
 * The proposal whose review or evidence is in the active tab, or null. `candidates` is called only if the tab must be
 * recognised by its title.
 */
export async function findActiveProposalId(
  candidates: () => Promise<readonly TitledProposal[]>,
): Promise<string | null> {
  const tab = vscode.window.tabGroups.activeTabGroup.activeTab;
  const place = tab && findProposalPlace(tab);
  if (place) return place.proposal;
  if (!tab) return null;
  if (isMarkdownPreview(tab)) return findProposalOfEvidence(tab, await candidates());
  if (!hasUnknownInput(tab)) return null;
  return (
    (await candidates()).find(({ title }) => tab.label.startsWith(`${title}${MULTI_FILE_TITLE_SUFFIX}`))?.id ?? null
  );
}

/** The proposal whose evidence is in the tab, or null. */
function findProposalOfEvidence(tab: vscode.Tab, candidates: readonly TitledProposal[]): string | null {
  return candidates.find((candidate) => showsEvidence(tab, candidate))?.id ?? null;
}

function showsEvidence(tab: vscode.Tab, proposal: TitledProposal): boolean {
  return isMarkdownPreview(tab) && isEvidencePageOf(tab.label, proposal);
}

/** True for a preview of Markdown. */
function isMarkdownPreview({ input }: vscode.Tab): boolean {
  return input instanceof vscode.TabInputWebview && input.viewType.endsWith('markdown.preview');
}

/**
 * Index of the hunk at the cursor in the active review, or of the nearest hunk, on the side with the focus. Null if no
 * review is active, and if the file has no hunk.
 */
export async function findActiveHunk(reviews: Reviews): Promise<number | null> {
  const cursor = await findCursor(reviews);
  return (cursor && findHunkAt(cursor.file, cursor.side, cursor.line)?.index) ?? null;
}

/** Indices of all hunks of the file in which the cursor is; null if no review is active. */
export async function findHunksOfActiveFile(reviews: Reviews): Promise<readonly number[] | null> {
  const cursor = await findCursor(reviews);
  return cursor && hunkIndicesOf(cursor.file);
}

/** The position of the cursor in the focused side of the active review (`line` is 1-based), or null. */
async function findCursor(
  reviews: Reviews,
): Promise<{ readonly file: ReviewFile; readonly side: 'before' | 'after'; readonly line: number } | null> {
  const editor = vscode.window.activeTextEditor;
  const place = editor && parseProposalUri(editor.document.uri);
  if (!editor || (place?.side !== 'before' && place?.side !== 'after')) return null;
  const file = (await reviews.get(place.proposal)).files.find(({ path }) => path === place.path);
  return file ? { file, side: place.side, line: editor.selection.active.line + 1 } : null;
}

/**
 * Keeps three context keys current, each of which is true while its kind of tab is active: `selfware.reviewing` for a
 * review, `selfware.readingEvidence` for the evidence for a waiting proposal, and `selfware.readingNight` for the
 * report of an unattended run. Closes duplicate tabs of a side.
 */
export function followActiveReview(feed: StateFeed): vscode.Disposable {
  const previousValues = new Map<string, boolean>();
  const setContextKey = (key: string, value: boolean) => {
    if (previousValues.get(key) === value) return;
    previousValues.set(key, value);
    void vscode.commands.executeCommand('setContext', `selfware.${key}`, value);
  };
  const update = () => {
    const tab = vscode.window.tabGroups.activeTabGroup.activeTab;
    setContextKey(
      'reviewing',
      tab !== undefined &&
        (findProposalPlace(tab) !== null || (hasUnknownInput(tab) && tab.label.includes(MULTI_FILE_TITLE_SUFFIX))),
    );
    setContextKey('readingNight', tab !== undefined && isNightPage(tab));
    setContextKey(
      'readingEvidence',
      tab !== undefined && findProposalOfEvidence(tab, feed.current?.pending ?? []) !== null,
    );
  };
  update();
  return vscode.Disposable.from(
    vscode.window.tabGroups.onDidChangeTabs((change) => {
      update();
      void closeDuplicateTabs(change.opened);
    }),
    vscode.window.tabGroups.onDidChangeTabGroups(update),
    feed.onChange(update),
  );
}

/**
 * Closes duplicate tabs that nobody has opened: after a reload of the window, VS Code opens a side with unsaved edits a
 * second time, behind the review that shows it.
 */
async function closeDuplicateTabs(openedTabs: readonly vscode.Tab[]): Promise<void> {
  const urisInDiffs = new Set(
    vscode.window.tabGroups.all
      .flatMap(({ tabs }) => tabs)
      .flatMap(({ input }) => (input instanceof vscode.TabInputTextDiff ? [input.modified.toString()] : [])),
  );
  for (const tab of openedTabs) {
    if (
      !(tab.input instanceof vscode.TabInputText) ||
      tab.isActive ||
      !parseSingleTab(tab.input) ||
      !urisInDiffs.has(tab.input.uri.toString())
    )
      continue;
    // Saving stores the text as a draft. Otherwise VS Code would ask the user before it closes a tab with unsaved text.
    await (await vscode.workspace.openTextDocument(tab.input.uri)).save();
    await vscode.window.tabGroups.close(tab, true);
  }
}

/**
 * The document of a proposal that a tab shows, or null. Only newer versions of VS Code list the diffs of a multi-file
 * tab (`textDiffs`).
 */
function findProposalPlace({ input }: vscode.Tab): ProposalPlace | null {
  if (input instanceof vscode.TabInputTextDiff) return parseProposalUri(input.modified);
  if (input instanceof vscode.TabInputText) return parseSingleTab(input);
  const [firstDiff] = (input as { textDiffs?: readonly { modified?: vscode.Uri }[] } | undefined)?.textDiffs ?? [];
  return firstDiff?.modified ? parseProposalUri(firstDiff.modified) : null;
}

/**
 * The document of a proposal in a tab without a diff, or null. "Open File" in a diff opens such a tab, and VS Code
 * opens one to restore unsaved text.
 */
function parseSingleTab({ uri }: vscode.TabInputText): ProposalPlace | null {
  const place = parseProposalUri(uri);
  return place?.side === 'before' || place?.side === 'after' ? place : null;
}

/** True if VS Code's API does not describe the input of the tab, as for a multi-file diff in older versions. */
function hasUnknownInput({ input }: vscode.Tab): boolean {
  return input === undefined || input === null;
}
