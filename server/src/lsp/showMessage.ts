// Shows messages that need no answer. The library's `showErrorMessage` is not used, because it sends a request and
// waits for the answer.

import { MessageType, ShowMessageNotification, type Connection } from 'vscode-languageserver/node';
import { escapeInvisible } from '../util/visible.ts';

const MESSAGE_TYPES = { error: MessageType.Error, warning: MessageType.Warning, info: MessageType.Info } as const;

/** Shows a sentence in the client as a notification of the protocol. Returns at once. */
export function showMessage(connection: Connection, severity: keyof typeof MESSAGE_TYPES, message: string): void {
  const text = toUnlinkedText(`Selfware: ${message}`);
  connection
    .sendNotification(ShowMessageNotification.type, { type: MESSAGE_TYPES[severity], message: text })
    // If the connection is closed, the message cannot be shown.
    .catch(() => {});
}

/** Writes a sentence to the log of the client, which does not interrupt the user. */
export function logMessage(connection: Connection, message: string): void {
  connection.console.info(escapeInvisible(`Selfware: ${message}`));
}

/**
 * The text with invisible characters escaped, and `](` separated by a space, so that no editor turns parts of it into
 * links.
 */
export function toUnlinkedText(message: string): string {
  return escapeInvisible(message).replaceAll('](', '] (');
}
