// Has files indexed again that have changed outside of the editor. The client watches the files and reports them.

import { DidChangeWatchedFilesNotification, type DidChangeWatchedFilesParams } from 'vscode-languageserver/node';
import { decidesSettings } from '../../settings/repositoryFiles.ts';
import { guardEvent } from '../guardHandlers.ts';
import type { Feature, Repository } from '../serverContext.ts';
import { isNeverIndexed } from '../liveDocuments.ts';

/** Registers the handler, and asks the client to watch all files. */
export const watchedFiles: Feature = (context) => {
  const { connection, repositories, abilities, log } = context;
  connection.onDidChangeWatchedFiles(
    guardEvent(log, 'didChangeWatchedFiles', async ({ changes }: DidChangeWatchedFilesParams) => {
      const pathsByRepository = new Map<Repository, string[]>();
      for (const { uri } of changes) {
        const place = repositories.locate(uri);
        if (place && !isNeverIndexed(place.path))
          pathsByRepository.set(place.repository, [...(pathsByRepository.get(place.repository) ?? []), place.path]);
      }
      for (const [repository, paths] of pathsByRepository) repository.scheduleIndex(paths);
      await Promise.all(
        [...pathsByRepository]
          .filter(([, paths]) => paths.some(decidesSettings))
          .map(([repository]) => repository.refreshSettings()),
      );
    }),
  );
  return {
    async initialized() {
      if (abilities.registersWatchers)
        await connection.client.register(DidChangeWatchedFilesNotification.type, {
          watchers: [{ globPattern: '**/*' }],
        });
    },
  };
};
