// The first text and the usual place of an acceptance test that a person writes.

import * as vscode from 'vscode';

/** A path for a new test, in the folder and with the extension of a test that exists; a usual one if there is none. */
export async function testPathNear(folder: vscode.Uri): Promise<string> {
  const pattern = new vscode.RelativePattern(folder, '**/*{.test.,.spec.,_test.,test_}*');
  const [found] = await vscode.workspace.findFiles(pattern, '**/{node_modules,dist,.git}/**', 1);
  const path = found && vscode.workspace.asRelativePath(found, false);
  return path === undefined ? 'test/request.test.js' : path.replace(/[^/]*?((?:\.(?:test|spec))?\.\w+)$/, 'request$1');
}

/** The words of the request as comments, for the person who writes the test. */
export function templateOf(path: string, words: string): string {
  const mark = /\.(?:py|rb|sh)$/.test(path) ? '#' : '//';
  const lines = ['Fails today, and passes once this is done:', ...words.split('\n')];
  return `${lines.map((line) => `${mark} ${line}`.trimEnd()).join('\n')}\n`;
}
