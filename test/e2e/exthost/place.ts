// What the suites in the extension host share: files of the project, diagnostics, and waiting by condition.

import { ok } from 'node:assert';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import * as vscode from 'vscode';
import type { CommandOutcome } from '#protocol/review';

const root = () => vscode.workspace.workspaceFolders?.[0]?.uri.fsPath ?? '';

export const rootDir = root;
export const uriOf = (path: string) => vscode.Uri.file(join(root(), path));
export const onDisk = (path: string) => readFileSync(join(root(), path), 'utf8');

/** Diagnostics of ours in a file, once there are any of the rule. */
export async function diagnosticsOf(path: string, rule: string): Promise<vscode.Diagnostic[]> {
  await vscode.window.showTextDocument(uriOf(path));
  const found = () =>
    vscode.languages
      .getDiagnostics(uriOf(path))
      .filter(({ source, code }) => source === 'selfware' && ruleOf(code) === rule);
  await eventually(() => found().length > 0, `${rule} in ${path}`);
  return found();
}

export async function quickFixes(path: string, rule: string): Promise<vscode.CodeAction[]> {
  const [diagnostic] = await diagnosticsOf(path, rule);
  ok(diagnostic);
  return vscode.commands.executeCommand<vscode.CodeAction[]>(
    'vscode.executeCodeActionProvider',
    uriOf(path),
    diagnostic.range,
    undefined,
    20,
  );
}

/** By the code action, as the keyboard does it. */
export async function improveAt(path: string, rule: string): Promise<CommandOutcome> {
  const actions = await quickFixes(path, rule);
  const command = actions.find(({ title, command: known }) => title.startsWith('Improve') && known)?.command;
  ok(command, actions.map(({ title }) => title).join());
  await vscode.commands.executeCommand('workbench.action.closeAllEditors');
  return vscode.commands.executeCommand<CommandOutcome>(command.command, ...(command.arguments ?? []));
}

export function ruleOf(code: vscode.Diagnostic['code']): string {
  return String(typeof code === 'object' ? code.value : code);
}

export async function eventually(condition: () => boolean | Promise<boolean>, what: string): Promise<void> {
  for (const end = Date.now() + 120_000; Date.now() < end; await new Promise((done) => setTimeout(done, 25)))
    if (await condition()) return;
  throw new Error(`Waited in vain: ${what}`);
}
