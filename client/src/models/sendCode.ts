// The dialog before code leaves this machine.

import * as vscode from 'vscode';
import type { ConsentQuestion } from '#protocol/models';

/** True if the person agrees that code goes to this destination. */
export async function maySendCode({ question, detail }: ConsentQuestion): Promise<boolean> {
  const send = 'Send Code';
  return (await vscode.window.showWarningMessage(question, { modal: true, detail }, send)) === send;
}
