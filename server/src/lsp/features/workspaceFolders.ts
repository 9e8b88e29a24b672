// Opens a repository for each workspace folder, and follows the person's choice of a folder and their trust. Trust is
// granted for the window, so it applies to all folders.

import { basename } from 'node:path';
import type { InitializeParams, WorkspaceFolder } from 'vscode-languageserver/node';
import { URI } from 'vscode-uri';
import { clientNotifications } from '#protocol/methods';
import { toAbsolutePath } from '../fromProtocol.ts';
import { guardEvent } from '../guardHandlers.ts';
import type { Feature } from '../serverContext.ts';

/** Registers the handlers, and opens the folders after `initialized`. */
export const workspaceFolders: Feature = (context, params) => {
  const { connection, repositories, abilities, events, log } = context;
  connection.onNotification(
    clientNotifications.trust,
    guardEvent(log, 'trust', async (trust: { readonly trusted?: boolean } | undefined) =>
      repositories.setTrusted(trust?.trusted === true),
    ),
  );
  connection.onNotification(
    clientNotifications.folder,
    guardEvent(log, 'folder', (folder: { readonly uri?: unknown } | undefined) => {
      repositories.choose(typeof folder?.uri === 'string' ? folder.uri : null);
      events.status.fire(null);
    }),
  );
  return {
    capabilities: { workspace: { workspaceFolders: { supported: true, changeNotifications: true } } },
    async initialized() {
      if (abilities.supportsWorkspaceFolders) {
        connection.workspace.onDidChangeWorkspaceFolders(
          guardEvent(log, 'didChangeWorkspaceFolders', async ({ added, removed }) => {
            await Promise.all(removed.map(({ uri }) => repositories.remove(uri)));
            await Promise.all(added.filter(isLocal).map((folder) => repositories.add(folder)));
          }),
        );
      }
      const folders = collectFolders(params).filter(isLocal);
      if (folders.length === 0)
        connection.console.info(
          'Selfware: no folder is open, so there is nothing to index. Open the folder of a repository.',
        );
      await Promise.all(folders.map((folder) => repositories.add(folder)));
    },
  };
};

/** The workspace folders of the client. Older clients send one root folder, as a URI or as a path. */
function collectFolders({
  workspaceFolders: folders,
  rootUri,
  rootPath,
}: InitializeParams): readonly WorkspaceFolder[] {
  if (Array.isArray(folders) && folders.length > 0) return folders;
  const uri = rootUri ?? (rootPath ? URI.file(rootPath).toString() : null);
  return uri ? [{ uri, name: basename(toAbsolutePath(uri) ?? uri) }] : [];
}

/** True if the folder is on this machine's file system. */
function isLocal({ uri }: WorkspaceFolder): boolean {
  return toAbsolutePath(uri) !== null;
}
