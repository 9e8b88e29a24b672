// Files of rules that the repository brings along, as a person reads them before a decision.

import { deepStrictEqual } from 'node:assert';
import { rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import * as vscode from 'vscode';
import { eventually, rootDir } from './place.ts';

export function defineRulesTests(): void {
  suite('rules', () => {
    const file = () => join(rootDir(), 'AGENTS.md');

    suiteSetup(() => vscode.extensions.getExtension('selfware.selfware')?.activate());
    suiteTeardown(async () => {
      await vscode.commands.executeCommand('workbench.action.closeAllEditors');
      rmSync(file(), { force: true });
    });

    test('a file that has changed is read again, and its older text is closed', async () => {
      for (const text of ['Use two spaces.\n', 'Use tabs.\n']) {
        writeFileSync(file(), text);
        await vscode.commands.executeCommand('selfware.readRules', { path: 'AGENTS.md' });
        await eventually(async () => (await texts()).includes(text), `${text} is shown`);
      }
      deepStrictEqual(await texts(), ['Use tabs.\n']);
      await vscode.commands.executeCommand('selfware.keepRulesOff');
      await eventually(async () => (await texts()).length === 0, 'it is closed');
    });
  });
}

/** The texts of rules in all tabs. */
function texts(): Promise<string[]> {
  const uris = vscode.window.tabGroups.all
    .flatMap(({ tabs }) => tabs)
    .flatMap(({ input }) =>
      input instanceof vscode.TabInputText && input.uri.scheme === 'selfware-rules' ? [input.uri] : [],
    );
  return Promise.all(uris.map(async (uri) => (await vscode.workspace.openTextDocument(uri)).getText()));
}
