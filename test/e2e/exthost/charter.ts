// The charter as a person writes it: a draft with completion and checks by its schema, saved under its own name.

import { deepStrictEqual, ok, strictEqual } from 'node:assert';
import { existsSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import * as vscode from 'vscode';
import { eventually, rootDir } from './place.ts';

export function defineCharterTests(): void {
  suite('charter', () => {
    const file = () => join(rootDir(), '.selfware', 'charter.json');

    suiteSetup(() => vscode.extensions.getExtension('selfware.selfware')?.activate());
    suiteTeardown(async () => {
      await vscode.commands.executeCommand('workbench.action.revertAndCloseActiveEditor');
      rmSync(file(), { force: true });
    });

    test('the command opens a draft, and nothing is on disk before it is saved', async () => {
      strictEqual(existsSync(file()), false);
      await vscode.commands.executeCommand('selfware.openCharter');
      const { document } = opened();
      ok(document.isUntitled && document.uri.path.endsWith('/.selfware/charter.json'), String(document.uri));
      ok('approval' in (JSON.parse(document.getText()) as object), document.getText());
      strictEqual(existsSync(file()), false);
    });

    test('keys and values are completed, with what they mean', async () => {
      await write('{\n  "app"\n}\n');
      const keys = await completions(1, 6);
      deepStrictEqual(
        ['approval', 'maxChanges', 'protectedPaths'].filter((key) => !keys.some(({ label }) => named(label) === key)),
        [],
      );
      ok(text(keys.find(({ label }) => named(label) === 'approval')?.documentation).includes('approval of a person'));
      await write('{\n  "approval": ""\n}\n');
      const values = (await completions(1, 15)).map(({ label }) => named(label));
      for (const value of ['strict', 'moderate', 'minimal'])
        ok(
          values.some((one) => one.includes(value)),
          values.join(),
        );
    });

    test('what cannot be is underlined, and what can be is not', async () => {
      await write('{\n  "approval": "never",\n  "maxChange": 2\n}\n');
      const { document } = opened();
      await eventually(
        () => vscode.languages.getDiagnostics(document.uri).length >= 2,
        'a wrong value and an unknown key',
      );
      await write('{\n  "approval": "strict",\n  "maxChanges": 2\n}\n');
      await eventually(() => vscode.languages.getDiagnostics(document.uri).length === 0, 'nothing is wrong any more');
    });
  });
}

function opened(): vscode.TextEditor {
  const editor = vscode.window.activeTextEditor;
  ok(editor, 'an editor is open');
  return editor;
}

async function write(content: string): Promise<void> {
  const { document } = opened();
  const edit = new vscode.WorkspaceEdit();
  edit.replace(document.uri, new vscode.Range(0, 0, document.lineCount, 0), content);
  ok(await vscode.workspace.applyEdit(edit));
}

/** Once VS Code's support for JSON knows the schema. */
async function completions(line: number, character: number): Promise<readonly vscode.CompletionItem[]> {
  let items: readonly vscode.CompletionItem[] = [];
  await eventually(async () => {
    const list = await vscode.commands.executeCommand<vscode.CompletionList>(
      'vscode.executeCompletionItemProvider',
      opened().document.uri,
      new vscode.Position(line, character),
      undefined,
      50,
    );
    items = list.items.filter(({ kind }) => kind !== vscode.CompletionItemKind.Text);
    return items.length > 0;
  }, `completions at ${line}:${character}`);
  return items;
}

function named(label: vscode.CompletionItem['label']): string {
  return typeof label === 'string' ? label : label.label;
}

function text(documentation: vscode.CompletionItem['documentation']): string {
  return typeof documentation === 'string' ? documentation : (documentation?.value ?? '');
}
