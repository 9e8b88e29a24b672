// Shows messages to the user: sentences, outcomes of commands, and errors with a button for the log.

import * as vscode from 'vscode';
import type { CommandOutcome } from '#protocol/review';
import { shortenMessage } from './shortenMessage.ts';
import { removeLinks } from './removeLinks.ts';

/** The message of an error; for any other thrown value, the value as text. */
export function describeError(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}

/** RequestCancelled and ServerCancelled of the language server protocol. */
const CANCELLED_CODES: readonly unknown[] = [-32800, -32802];

/**
 * True if the error reports that the user or the server cancelled the work. It is recognised by its class or code,
 * never by its text.
 */
export function isCancelled(error: unknown): boolean {
  return (
    error instanceof vscode.CancellationError ||
    (error instanceof Error && 'code' in error && CANCELLED_CODES.includes(error.code))
  );
}

/** Shows an error, with a button for the log. Does not wait for the user. */
export function showError(message: string, output: vscode.LogOutputChannel): void {
  const text = message.startsWith('Selfware') ? message : `Selfware: ${message}`;
  void showNotice('error', text, 'Show Output').then((choice) => {
    if (choice) output.show();
  });
}

/** Reports a failed command. If it was cancelled, its message appears only in the status bar. */
export function showFailure({ message, cancelled }: CommandOutcome, output: vscode.LogOutputChannel): void {
  if (cancelled) vscode.window.setStatusBarMessage(message, 8000);
  else showError(message, output);
}

/**
 * Runs the work of a command, and returns its result. Errors are logged and shown, never thrown to VS Code; a
 * cancellation is not reported. Returns undefined in both cases.
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
    showError(describeError(error), output);
    return undefined;
  }
}

/**
 * Shows an information message with buttons; resolves with the label of the pressed one, or undefined if it is closed.
 */
export async function showMessage(message: string, ...actions: string[]): Promise<string | undefined> {
  return showNotice('info', message, ...actions);
}

/**
 * Shows a notification with buttons; resolves with the label of the pressed one. Links are removed from the message. If
 * the message is too long for a notification, the button "More…" opens it in a dialog with the same buttons.
 */
export async function showNotice(
  severity: 'info' | 'warning' | 'error',
  message: string,
  ...actions: string[]
): Promise<string | undefined> {
  const { notice, remainingText } = shortenMessage(removeLinks(message));
  if (remainingText === '') return showBySeverity[severity](notice, {}, ...actions);
  const moreLabel = 'More…';
  const choice = await showBySeverity[severity](notice, {}, ...actions, moreLabel);
  return choice === moreLabel
    ? showBySeverity[severity](notice, { modal: true, detail: remainingText }, ...actions)
    : choice;
}

type ShowNotification = (
  message: string,
  options: vscode.MessageOptions,
  ...actions: string[]
) => Thenable<string | undefined>;

const showBySeverity: Readonly<Record<'info' | 'warning' | 'error', ShowNotification>> = {
  info: vscode.window.showInformationMessage,
  warning: vscode.window.showWarningMessage,
  error: vscode.window.showErrorMessage,
};

/**
 * Shows a message in the status bar. If `editor.accessibilitySupport` is `on`, also shows a notification, because
 * screen readers read notifications aloud.
 */
export function showBriefly(message: string): void {
  vscode.window.setStatusBarMessage(message, 5000);
  if (vscode.workspace.getConfiguration('editor').get('accessibilitySupport') === 'on')
    void vscode.window.showInformationMessage(removeLinks(message));
}
