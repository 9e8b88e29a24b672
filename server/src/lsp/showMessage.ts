// Shows a sentence that needs no answer. (The library's own showErrorMessage is a request that waits for one.)

import { MessageType, ShowMessageNotification, type Connection } from 'vscode-languageserver/node';
import { visible } from '../util/visible.ts';

const types = { error: MessageType.Error, warning: MessageType.Warning, info: MessageType.Info } as const;

/** Shows a sentence in the client, without waiting for an answer. */
export function showMessage(connection: Connection, severity: keyof typeof types, message: string): void {
  // If the connection is closed, the message cannot be shown.
  const text = plainText(`Selfware: ${message}`);
  connection.sendNotification(ShowMessageNotification.type, { type: types[severity], message: text }).catch(() => {});
}

/** Writes a sentence to the log of the client, without interrupting. */
export function logMessage(connection: Connection, message: string): void {
  connection.console.info(visible(`Selfware: ${message}`));
}

/** The text in a form that editors do not take for Markdown. They would turn parts of it into links. */
export function plainText(message: string): string {
  return visible(message).replaceAll('](', '] (');
}
