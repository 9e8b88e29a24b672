// Shows a sentence that needs no answer. (The library's own showErrorMessage is a request that waits for one.)

import { MessageType, ShowMessageNotification, type Connection } from 'vscode-languageserver/node';
import { escapeInvisible } from '../util/visible.ts';

const MESSAGE_TYPES = { error: MessageType.Error, warning: MessageType.Warning, info: MessageType.Info } as const;

/** Shows a sentence in the client, without waiting for an answer. */
export function showMessage(connection: Connection, severity: keyof typeof MESSAGE_TYPES, message: string): void {
  const text = toUnlinkedText(`Selfware: ${message}`);
  connection
    .sendNotification(ShowMessageNotification.type, { type: MESSAGE_TYPES[severity], message: text })
    // If the connection is closed, the message cannot be shown.
    .catch(() => {});
}

/** Writes a sentence to the log of the client, without interrupting. */
export function logMessage(connection: Connection, message: string): void {
  connection.console.info(escapeInvisible(`Selfware: ${message}`));
}

/** The text in a form that editors do not take for Markdown. They would turn parts of it into links. */
export function toUnlinkedText(message: string): string {
  return escapeInvisible(message).replaceAll('](', '] (');
}
