// Shows messages to the user: sentences, outcomes of commands, and errors with a button for the log.

import * as vscode from 'vscode';
import type { CommandOutcome } from '#protocol/review';
import { shortenMessage } from './shortenMessage.ts';
import { removeLinks } from './removeLinks.ts';

/** The message of an error; any other thrown value as text. */
export function describe(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}

/** RequestCancelled and ServerCancelled of the language server protocol. */
const cancelledCodes: readonly unknown[] = [-32800, -32802];

/** True if the user cancelled, so that nothing is reported. Recognised by the error's code, never by its text. */
export function isCancelled(error: unknown): boolean {
  return (
    error instanceof vscode.CancellationError ||
    (error instanceof Error && 'code' in error && cancelledCodes.includes(error.code))
  );
}

/** Shows an error, with a button for the log. Does not wait for the user. */
export function showError(message: string, output: vscode.LogOutputChannel): void {
  const text = message.startsWith('Selfware') ? message : `Selfware: ${message}`;
  void showNotice('error', text, 'Show Output').then((choice) => {
    if (choice) output.show();
  });
}

/**
 * Reports a failed command. A command that was cancelled, by this person or by Stop, is only shown in the status bar.
 */
export function showFailure({ message, cancelled }: CommandOutcome, output: vscode.LogOutputChannel): void {
  if (cancelled) vscode.window.setStatusBarMessage(message, 8000);
  else showError(message, output);
}

/**
 * The error boundary of every command: errors are logged and shown, never thrown to VS Code. Undefined after an error
 * or a cancellation; the latter is not reported.
 */
export async function withErrorBoundary<T>(
  output: vscode.LogOutputChannel,
  work: () => Promise<T> | T,
): Promise<T | undefined> {
  try {
    return await work();
  } catch (error) {
    if (isCancelled(error)) return undefined;
    output.error(error instanceof Error ? error : String(error));
    showError(describe(error), output);
    return undefined;
  }
}

/** Shows a sentence with buttons; resolves with the pressed button. */
export async function showMessage(message: string, ...actions: string[]): Promise<string | undefined> {
  return showNotice('info', message, ...actions);
}

/**
 * Shows a notice with buttons, and without links; resolves with the pressed button. If it is too long for a notice, one
 * more button opens all of it in a dialog with the same buttons.
 */
export async function showNotice(
  severity: 'info' | 'warning' | 'error',
  message: string,
  ...actions: string[]
): Promise<string | undefined> {
  const { notice, rest } = shortenMessage(removeLinks(message));
  if (rest === '') return showers[severity](notice, {}, ...actions);
  const moreLabel = 'More…';
  const choice = await showers[severity](notice, {}, ...actions, moreLabel);
  return choice === moreLabel ? showers[severity](notice, { modal: true, detail: rest }, ...actions) : choice;
}

type Shower = (message: string, options: vscode.MessageOptions, ...actions: string[]) => Thenable<string | undefined>;

const showers: Readonly<Record<'info' | 'warning' | 'error', Shower>> = {
  info: vscode.window.showInformationMessage,
  warning: vscode.window.showWarningMessage,
  error: vscode.window.showErrorMessage,
};

/**
 * Shows something in the status bar, and also as a message if the user has a screen reader, because VS Code reads
 * messages aloud.
 */
export function showBriefly(message: string): void {
  vscode.window.setStatusBarMessage(message, 5000);
  if (vscode.workspace.getConfiguration('editor').get('accessibilitySupport') === 'on')
    void vscode.window.showInformationMessage(removeLinks(message));
}
