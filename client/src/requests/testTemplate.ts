// Suggests the path and the initial text of an acceptance test that a person writes.

import * as vscode from 'vscode';

/**
 * A path for a new test, relative to the folder: beside an existing test and with its extension, or
 * `test/request.test.js` if there is none.
 */
export async function suggestTestPath(folder: vscode.Uri): Promise<string> {
  const pattern = new vscode.RelativePattern(folder, '**/*{.test.,.spec.}*');
  const [testFile] = await vscode.workspace.findFiles(pattern, '**/{node_modules,dist,.git}/**', 1);
  const path = testFile && vscode.workspace.asRelativePath(testFile, false);
  if (path === undefined) return 'test/request.test.js';
  const nameOffset = path.lastIndexOf('/') + 1;
  return `${path.slice(0, nameOffset)}request${path.slice(path.indexOf('.', nameOffset))}`;
}

/** The initial text: the words of the request as comments in the language of the path. */
export function renderTemplate(path: string, words: string): string {
  const commentMark = /\.(?:py|rb|sh)$/.test(path) ? '#' : '//';
  const lines = ['Fails today, and passes once this is done:', ...words.split('\n')];
  return `${lines.map((line) => `${commentMark} ${line}`.trimEnd()).join('\n')}\n`;
}
