// Asks the person for consent before code leaves this machine.

import * as vscode from 'vscode';
import type { ConsentQuestion } from '#protocol/models';

/** True if the person agrees to send code to the destination of the question. */
export async function askToSendCode({ question, detail }: ConsentQuestion): Promise<boolean> {
  const sendLabel = 'Send Code';
  return (await vscode.window.showWarningMessage(question, { modal: true, detail }, sendLabel)) === sendLabel;
}
