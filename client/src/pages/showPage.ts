// Shows a report page in the preview of VS Code.

import * as vscode from 'vscode';
import type { ReportPage } from '#protocol/reports';
import type { ClientContext } from '../context.ts';
import { reportUri } from '../review/proposalUri.ts';

/** Shows the page. A preview of an earlier page with the same title shows this one from then on. */
export async function showPage(
  { pages }: Pick<ClientContext, 'pages'>,
  { title, markdown }: ReportPage,
): Promise<void> {
  const uri = reportUri(title);
  pages.put(uri, markdown);
  await vscode.commands.executeCommand('markdown.showPreview', uri);
  // VS Code only reveals a preview that is open already, with its old text.
  await vscode.commands.executeCommand('markdown.preview.refresh');
}
