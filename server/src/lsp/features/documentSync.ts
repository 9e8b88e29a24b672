// Follows the documents that are open in the editor, and has a document indexed again when it is saved.

import { TextDocumentSyncKind } from 'vscode-languageserver/node';
import { decidesSettings } from '../../settings/repositoryFiles.ts';
import { guardEvent } from '../guardHandlers.ts';
import { findOpenDocuments } from '../openDocuments.ts';
import type { Feature } from '../serverContext.ts';

/** Registers the handlers for opened, changed, saved and closed documents. */
export const documentSync: Feature = (context) => {
  const { documents, connection, repositories, live, events, log } = context;
  // An opened file probably belongs to the person's current task, so it enters working memory.
  documents.onDidOpen(
    guardEvent(log, 'didOpen', async ({ document }) => {
      const place = repositories.locate(document.uri);
      if (place) (await place.repository.session()).tasks.lookAt(place.path);
    }),
  );
  documents.onDidSave(
    guardEvent(log, 'didSave', async ({ document }) => {
      live.noteSaved(document.uri);
      const place = repositories.locate(document.uri);
      place?.repository.savedPaths.add(place.path);
      place?.repository.scheduleIndex([place.path]);
      if (place && decidesSettings(place.path)) await place.repository.refreshSettings();
    }),
  );
  // When other files change, opportunities in an open document may change, too.
  events.opportunities.event(({ repository, paths }) => {
    for (const [path, { uri }] of findOpenDocuments(context, repository))
      if (paths === null || paths.includes(path)) live.reanalyse(uri);
  });
  documents.onDidClose(guardEvent(log, 'didClose', ({ document }) => live.forget(document.uri)));
  documents.listen(connection);
  return {
    capabilities: {
      textDocumentSync: { openClose: true, change: TextDocumentSyncKind.Incremental, save: { includeText: false } },
    },
  };
};
