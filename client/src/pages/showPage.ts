// Shows a report page in VS Code's Markdown preview.

import * as vscode from 'vscode';
import type { ReportPage } from '#protocol/reports';
import type { ClientContext } from '../context.ts';
import { createReportUri } from '../review/proposalUri.ts';

/** Shows the page. If a page with the same title is open, its preview shows the new text. */
export async function showPage(
  { pages }: Pick<ClientContext, 'pages'>,
  { title, markdown }: ReportPage,
): Promise<void> {
  const uri = createReportUri(title);
  pages.put(uri, markdown);
  await vscode.commands.executeCommand('markdown.showPreview', uri);
  // If the preview is already open, `showPreview` only reveals it, with its old text.
  await vscode.commands.executeCommand('markdown.preview.refresh');
}
