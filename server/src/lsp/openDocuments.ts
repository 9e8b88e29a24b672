// Finds the documents of a folder that are open in the editor. They are identified by path, because clients write the
// same URI in several ways.

import type { TextDocument } from 'vscode-languageserver-textdocument';
import type { ServerContext, Repository } from './serverContext.ts';

/** The open documents of a folder by their paths relative to its root. */
export function findOpenDocuments(
  { documents }: Pick<ServerContext, 'documents'>,
  repository: Pick<Repository, 'pathOf'>,
): ReadonlyMap<string, TextDocument> {
  const documentByPath = new Map<string, TextDocument>();
  for (const document of documents.all()) {
    const path = repository.pathOf(document.uri);
    if (path !== null) documentByPath.set(path, document);
  }
  return documentByPath;
}
