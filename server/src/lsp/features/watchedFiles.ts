// Files that change outside the editor: the client watches, we index again.

import { DidChangeWatchedFilesNotification, type DidChangeWatchedFilesParams } from 'vscode-languageserver/node';
import { guardedEvent } from '../guard.ts';
import type { Repository } from '../repository.ts';
import type { Feature } from '../serverContext.ts';

export const watchedFiles: Feature = (context) => {
  const { connection, repositories, abilities, log } = context;
  connection.onDidChangeWatchedFiles(
    guardedEvent(log, 'didChangeWatchedFiles', ({ changes }: DidChangeWatchedFilesParams) => {
      const touched = new Set<Repository>();
      for (const { uri } of changes) {
        const place = repositories.locate(uri);
        if (place && !neverIndexed(place.path)) touched.add(place.repository);
      }
      for (const repository of touched) repository.scheduleIndex();
    }),
  );
  return {
    async initialized() {
      if (abilities.registersWatchers) await connection.client.register(DidChangeWatchedFilesNotification.type, { watchers: [{ globPattern: '**/*' }] });
    },
  };
};

/** Git and package managers write there by the thousand. */
function neverIndexed(path: string): boolean {
  return path.split('/').some((part) => part === '.git' || part === 'node_modules');
}
