// The documentation pages of rules that ship with the extension.

import * as vscode from 'vscode';
import { showMessage } from './messages.ts';
import { explainUri } from './review/proposalUri.ts';

/**
 * Opens the page of the rule, or, if an opportunity is given, the page that explains it. Does nothing without a rule;
 * shows a message if the rule has no page.
 */
export async function openRuleDocs(
  extensionUri: vscode.Uri,
  { rule, uri, opportunity }: { readonly rule?: string; readonly uri?: string; readonly opportunity?: string },
): Promise<void> {
  if (rule === undefined) return;
  if (uri !== undefined && opportunity !== undefined) {
    await vscode.commands.executeCommand('markdown.showPreview', explainUri({ rule, opportunity, uri }));
    return;
  }
  const page = vscode.Uri.joinPath(extensionUri, 'server/src/core/rules', rule, 'rule.md');
  const exists = await vscode.workspace.fs.stat(page).then(
    () => true,
    () => false,
  );
  if (exists) await vscode.commands.executeCommand('markdown.showPreview', page);
  else void showMessage(`There is no rule ${rule}.`);
}
