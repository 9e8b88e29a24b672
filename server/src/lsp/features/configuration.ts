// Follows changes of the settings while the server runs. Folders whose settings have changed are opened again.

import { DidChangeConfigurationNotification, type DidChangeConfigurationParams } from 'vscode-languageserver/node';
import { guardEvent } from '../guardHandlers.ts';
import type { Feature } from '../serverContext.ts';

/** Registers the handler, and asks the client to report changes. */
export const configuration: Feature = (context) => {
  const { connection, repositories, abilities, log } = context;
  connection.onDidChangeConfiguration(
    guardEvent(log, 'didChangeConfiguration', async ({ settings }: DidChangeConfigurationParams) => {
      context.pushedSettings = settings;
      await Promise.all(repositories.all().map((repository) => repository.refreshSettings()));
    }),
  );
  return {
    async initialized() {
      if (abilities.registersConfiguration)
        await connection.client.register(DidChangeConfigurationNotification.type, { section: 'selfware' });
    },
  };
};
