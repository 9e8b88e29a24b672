// Opens the counterexample that a check has found (a call with different results in the old and the new code) as a
// test.

import * as vscode from 'vscode';
import type { ClientContext } from '../context.ts';
import { showMessage } from '../messages.ts';

/**
 * Opens the counterexample to the proposal as an unsaved document, so that the person decides where to save it. Shows a
 * message if there is none.
 */
export async function openCounterexample({ server }: ClientContext, proposal: string): Promise<void> {
  const { test } = await server.evidence(proposal);
  if (!test) void showMessage('No check has found a counterexample.');
  else
    await vscode.window.showTextDocument(
      await vscode.workspace.openTextDocument({ language: test.language, content: test.text }),
    );
}
