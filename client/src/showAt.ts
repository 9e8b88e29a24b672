// Opens a file with the cursor at a place.

import * as vscode from 'vscode';

/** Line and column are 1-based. Without a column, the cursor is before the first word of the line. */
export async function showAt(uri: vscode.Uri, line: number, column?: number): Promise<void> {
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
