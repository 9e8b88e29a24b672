// Shows the evidence for a proposal when the person asks for it: as a page beside the diff, as a hover at a hunk, or as
// a list of checks.

import * as vscode from 'vscode';
import { commandLink, joinMarkdown, md } from '#protocol/markdown';
import { checkLabel, describeEffect } from '#protocol/plainWords';
import type { Review } from '#protocol/review';
import type { ClientContext } from '../context.ts';
import { createEvidenceUri, parseProposalUri, proposalScheme } from './proposalUri.ts';
import type { Reviews } from './reviews.ts';
import { findEditedLine } from './hunkTexts.ts';
import { formatGainOf, isDecidable, summarisePoints, summariseVerdicts } from './reviewText.ts';

/** Maximum wait for a scroll event in milliseconds, because a diff that is closed meanwhile never sends one. */
const MAX_SCROLL_MS = 1000;

/** Opens the page with the evidence beside the active editor. */
export async function showEvidence({ reviews }: Pick<ClientContext, 'reviews'>, proposal: string): Promise<void> {
  await vscode.commands.executeCommand('markdown.showPreviewToSide', createEvidenceUri(await reviews.get(proposal)));
}

/**
 * Shows the checks with their outcomes and reasons as a list, which screen readers read well. Choosing an entry opens
 * the page.
 */
export async function showVerdicts(context: ClientContext, proposal: string): Promise<void> {
  const { reviews } = context;
  const review = await reviews.get(proposal);
  const icons = { passed: '$(pass)', failed: '$(error)', unknown: '$(question)', 'not needed': '$(dash)' } as const;
  const checkItems = review.verdicts.map(({ gate, outcome, reason, millis, notNeeded }) => {
    const outcomeText = notNeeded === undefined ? outcome : 'not needed';
    return {
      label: `${icons[outcomeText]} ${checkLabel(gate)}`,
      description: millis < 100 ? outcomeText : `${outcomeText} · ${(millis / 1000).toFixed(1)} s`,
      detail: reason,
    };
  });
  const facts = [
    review.claim === null ? null : formatGainOf(review),
    summarisePoints(review),
    review.recipe,
    describeEffect(review),
    isDecidable(review) ? null : review.status,
  ]
    .filter((fact) => fact !== null && fact !== '')
    .join(' · ');
  const pageItem = { label: '$(beaker) Show evidence', description: 'beside the diff', alwaysShow: true };
  if (
    await vscode.window.showQuickPick([...checkItems, pageItem], {
      title: review.title,
      placeHolder: facts,
      matchOnDetail: true,
    })
  )
    await showEvidence(context, proposal);
}

/**
 * Puts the cursor on the hunk, or on the first hunk if `hunk` is undefined, and shows the hover there. Opens the page
 * instead if the editor with the new text is not active.
 */
export async function showReasonHover(
  context: ClientContext,
  proposal: string,
  hunk: number | undefined,
): Promise<void> {
  const { reviews } = context;
  const review = await reviews.get(proposal);
  const target = review.files
    .flatMap((file) => file.hunks.map((candidate) => ({ file, hunk: candidate })))
    .find(({ hunk: candidate }) => hunk === undefined || candidate.index === hunk);
  const editor = vscode.window.visibleTextEditors.find(({ document }) => {
    const place = parseProposalUri(document.uri);
    return place?.side === 'after' && place.proposal === proposal && place.path === target?.file.path;
  });
  if (!target || !editor || vscode.window.activeTextEditor !== editor) return showEvidence(context, proposal);
  const line =
    Math.min(
      findEditedLine(editor.document.getText(), target.file.after, target.hunk.afterLine),
      editor.document.lineCount,
    ) - 1;
  const position = new vscode.Position(line, editor.document.lineAt(line).firstNonWhitespaceCharacterIndex);
  editor.selection = new vscode.Selection(position, position);
  await bringIntoView(editor, position);
  // A CodeLens button does not move the focus, but the hover belongs to the focused editor.
  await vscode.commands.executeCommand('workbench.action.focusActiveEditorGroup');
  await vscode.commands.executeCommand('editor.action.showHover', { focus: 'noAutoFocus' });
}

/**
 * Scrolls to the position, and waits until the editor has scrolled: VS Code scrolls in the next frame, and then removes
 * a hover. If the position is already visible, does nothing, because VS Code might still scroll sideways, for example
 * after a long line was edited before a reload.
 */
async function bringIntoView(editor: vscode.TextEditor, position: vscode.Position): Promise<void> {
  const isVisibleIn = (ranges: readonly vscode.Range[]) => ranges.some((range) => range.contains(position));
  if (isVisibleIn(editor.visibleRanges)) return;
  const scrollEnd = new Promise<void>((resolve) => {
    const finish = () => {
      clearTimeout(timeout);
      listener.dispose();
      resolve();
    };
    const timeout = setTimeout(finish, MAX_SCROLL_MS);
    const listener = vscode.window.onDidChangeTextEditorVisibleRanges(
      ({ textEditor, visibleRanges }) => textEditor === editor && isVisibleIn(visibleRanges) && finish(),
    );
  });
  editor.revealRange(new vscode.Range(position, position), vscode.TextEditorRevealType.InCenterIfOutsideViewport);
  await scrollEnd;
}

/**
 * Shows the reason for a change as a hover on each changed line of a review. VS Code's accessible view can read hovers
 * aloud.
 */
export function registerReasonHover(reviews: Reviews): vscode.Disposable {
  return vscode.languages.registerHoverProvider(
    { scheme: proposalScheme },
    {
      async provideHover(document, { line }) {
        const place = parseProposalUri(document.uri);
        if (place?.side !== 'before' && place?.side !== 'after') return null;
        const review = await reviews.get(place.proposal);
        const file = review.files.find(({ path }) => path === place.path);
        const isAfter = place.side === 'after';
        const hunk = file?.hunks.find(({ beforeLine, beforeLines, afterLine, afterLines }) => {
          const firstLine = (isAfter ? findEditedLine(document.getText(), file.after, afterLine) : beforeLine) - 1;
          return line >= firstLine && line < firstLine + Math.max(1, isAfter ? afterLines : beforeLines);
        });
        return hunk ? new vscode.Hover(composeReason(review), document.lineAt(line).range) : null;
      },
    },
  );
}

/** The text of the hover. Titles and reasons may come from the repository or a model, so they are escaped. */
function composeReason(review: Review): vscode.MarkdownString {
  const markdown = new vscode.MarkdownString();
  markdown.isTrusted = { enabledCommands: ['selfware.evidence', 'selfware.openRuleDocs'] };
  const commandArguments = [{ proposal: review.id }, { rule: review.rule }];
  const [evidence = '', rule = ''] = commandArguments.map((argument) => encodeURIComponent(JSON.stringify([argument])));
  const links = [
    commandLink('Evidence', 'selfware.evidence', evidence),
    commandLink('About the rule', 'selfware.openRuleDocs', rule),
  ];
  const facts = [summariseVerdicts(review), `It ${describeEffect(review)}.`, summarisePoints(review)].flatMap((fact) =>
    fact === null || fact === '' ? [] : [md`- ${fact}`],
  );
  // `appendText` is not used, because its non-breaking spaces neither wrap nor read well aloud.
  const paragraphs = [md`**${review.title}**`, review.rationale, joinMarkdown(facts, '\n')].filter(
    (part) => part !== '',
  );
  markdown.appendMarkdown(joinMarkdown([...paragraphs, joinMarkdown(links, ' · ')], '\n\n').toString());
  return markdown;
}
