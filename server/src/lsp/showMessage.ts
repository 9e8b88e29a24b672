// A sentence for the user that needs no answer. (The library's own showErrorMessage is a request that waits for one.)

import { MessageType, ShowMessageNotification, type Connection } from 'vscode-languageserver/node';

const types = { error: MessageType.Error, warning: MessageType.Warning, info: MessageType.Info } as const;

export function showMessage(connection: Connection, severity: keyof typeof types, message: string): void {
  // A connection that is gone has nobody to tell.
  connection.sendNotification(ShowMessageNotification.type, { type: types[severity], message: `Selfware: ${message}` }).catch(() => {});
}
