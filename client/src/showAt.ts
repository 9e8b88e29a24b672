// Opens a file with the cursor at a line and column.

import * as vscode from 'vscode';

/**
 * Shows the file. `line` and `column` are 1-based; a line outside of the file becomes the nearest one. Without a
 * column, the cursor is at the first character of the line that is not blank.
 */
export async function showFileAt(uri: vscode.Uri, line: number, column?: number): Promise<void> {
  const document = await vscode.workspace.openTextDocument(uri);
  const { lineNumber, firstNonWhitespaceCharacterIndex } = document.lineAt(
    Math.min(Math.max(1, line), document.lineCount) - 1,
  );
  const position = new vscode.Position(
    lineNumber,
    column === undefined ? firstNonWhitespaceCharacterIndex : column - 1,
  );
  await vscode.window.showTextDocument(document, { selection: new vscode.Range(position, position) });
}
