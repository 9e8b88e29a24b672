// The documentation of a rule, as it ships with the extension.

import * as vscode from 'vscode';
import { say } from './messages.ts';
import { explainUri } from './review/proposalUri.ts';

/** Opens the page of the rule, or lets the user pick one. Of an opportunity: with what is known of it. */
export async function openRuleDocs(
  extensionUri: vscode.Uri,
  { rule, uri, opportunity }: { readonly rule?: string; readonly uri?: string; readonly opportunity?: string },
): Promise<void> {
  if (rule !== undefined && uri !== undefined && opportunity !== undefined) {
    await vscode.commands.executeCommand('markdown.showPreview', explainUri({ rule, opportunity, uri }));
    return;
  }
  const folder = vscode.Uri.joinPath(extensionUri, 'docs', 'rules');
  const rules = (await vscode.workspace.fs.readDirectory(folder))
    .map(([name]) => name)
    .filter((name) => name.endsWith('.md'))
    .map((name) => name.slice(0, -'.md'.length))
    .sort();
  const chosen =
    rule ??
    (await vscode.window.showQuickPick(rules, { title: 'Rule Documentation', placeHolder: 'Rules of Selfware' }));
  if (chosen === undefined) return;
  if (rules.includes(chosen))
    await vscode.commands.executeCommand('markdown.showPreview', vscode.Uri.joinPath(folder, `${chosen}.md`));
  else void say(`There is no rule ${chosen}.`);
}
