// Runs a server command while a notification shows its progress and a Cancel button.

import * as vscode from 'vscode';
import type { CommandOutcome } from '#protocol/review';
import type { ClientContext } from '../context.ts';
import { removeLinks } from '../removeLinks.ts';

/** The name of a server command. */
type Command = Parameters<ClientContext['server']['execute']>[0];

/**
 * Runs the command. Returns its outcome; undefined if the person cancelled it before it succeeded. Rejects if the
 * request to the server fails.
 */
export async function withProgress(
  { server }: ClientContext,
  title: string,
  command: Command,
  params: object,
): Promise<CommandOutcome | undefined> {
  return vscode.window.withProgress(
    { location: vscode.ProgressLocation.Notification, title: removeLinks(`Selfware: ${title}`), cancellable: true },
    async (progress, token) => {
      const outcome = await server.execute(command, params, {
        token,
        // The first step of a short command has the name of the command, which the title already shows.
        onProgress: (message) =>
          progress.report({ message: message.toLowerCase() === title.toLowerCase() ? '' : removeLinks(message) }),
      });
      return token.isCancellationRequested && !outcome.ok ? undefined : outcome;
    },
  );
}
