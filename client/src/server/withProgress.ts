// Runs a server command that a person waits for, with progress and a Cancel button.

import * as vscode from 'vscode';
import type { CommandOutcome } from '#protocol/review';
import type { ClientContext } from '../context.ts';
import { removeLinks } from '../removeLinks.ts';

type Command = Parameters<ClientContext['server']['execute']>[0];

/**
 * Shows progress in a notification. Undefined if the person cancelled before the command succeeded. Rejects if the
 * server fails.
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
        // The first step of a short command is the command itself, which the title names.
        onProgress: (message) =>
          progress.report({ message: message.toLowerCase() === title.toLowerCase() ? '' : removeLinks(message) }),
      });
      return token.isCancellationRequested && !outcome.ok ? undefined : outcome;
    },
  );
}
