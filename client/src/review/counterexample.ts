// Opens the counterexample that a check has found, as a test for the person to save.

import * as vscode from 'vscode';
import type { ClientContext } from '../context.ts';
import { showMessage } from '../messages.ts';

/** Opens the counterexample as an unsaved document, so that the person decides where to save it. */
export async function adoptTest({ server }: ClientContext, proposal: string): Promise<void> {
  const { test } = await server.evidence(proposal);
  if (!test) void showMessage('No check has found a counterexample.');
  else
    await vscode.window.showTextDocument(
      await vscode.workspace.openTextDocument({ language: test.language, content: test.text }),
    );
}
