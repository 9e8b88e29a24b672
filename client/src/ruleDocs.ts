// Opens the documentation pages of rules, which ship with the extension.

import * as vscode from 'vscode';
import { showMessage } from './messages.ts';
import { createExplainUri } from './review/proposalUri.ts';

/**
 * Opens the page of the rule. If a document (`uri`) and an opportunity in it are given, the page also explains the
 * opportunity. Does nothing if `rule` is undefined; shows a message if the rule has no page.
 */
export async function openRuleDocs(
  extensionUri: vscode.Uri,
  { rule, uri, opportunity }: { readonly rule?: string; readonly uri?: string; readonly opportunity?: string },
): Promise<void> {
  if (rule === undefined) return;
  if (uri !== undefined && opportunity !== undefined) {
    await vscode.commands.executeCommand('markdown.showPreview', createExplainUri({ rule, opportunity, uri }));
    return;
  }
  const page = vscode.Uri.joinPath(extensionUri, 'server/src/core/rules', rule, 'rule.md');
  const hasPage = await vscode.workspace.fs.stat(page).then(
    () => true,
    () => false,
  );
  if (hasPage) await vscode.commands.executeCommand('markdown.showPreview', page);
  else void showMessage(`There is no rule ${rule}.`);
}
