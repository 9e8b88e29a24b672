// Sends diagnostics to clients that do not support pull diagnostics, whenever a document or the analysis changes.

import type { Diagnostic } from 'vscode-languageserver/node';
import { computeDocumentDiagnostics, computeFolderDiagnostics } from '../diagnostics.ts';
import { guardEvent } from '../guardHandlers.ts';
import { findOpenDocuments } from '../openDocuments.ts';
import type { Feature, Repository } from '../serverContext.ts';

/** Registers the handlers, unless the client supports pull diagnostics. */
export const pushDiagnostics: Feature = (context) => {
  const { connection, abilities, documents, events, log } = context;
  if (abilities.pullDiagnostics) return {};
  /** Paths that had diagnostics at the last update, open documents included, by the URI of the folder. */
  const publishedPaths = new Map<string, Set<string>>();

  const publishDocument = guardEvent(log, 'Publishing diagnostics', async (uri: string) => {
    const requestedVersion = documents.get(uri)?.version;
    const diagnostics = [...(await computeDocumentDiagnostics(context, uri))];
    const version = documents.get(uri)?.version;
    // If the document has changed or was closed meanwhile, that publishes newer diagnostics.
    if (requestedVersion !== version) return;
    await connection.sendDiagnostics({ uri, diagnostics, ...(version === undefined ? {} : { version }) });
  });

  const publishFolder = guardEvent(log, 'Publishing diagnostics', async (repository: Repository) => {
    const previousPaths = publishedPaths.get(repository.uri) ?? new Set();
    const diagnosticsByPath = await computeFolderDiagnostics(context, repository);
    const openDocumentByPath = findOpenDocuments(context, repository);
    const send = (path: string, diagnostics: readonly Diagnostic[]) =>
      connection.sendDiagnostics({ uri: repository.uriOf(path), diagnostics: [...diagnostics] });
    // Diagnostics of open documents are published separately, for their text in the editor.
    for (const [path, diagnostics] of diagnosticsByPath)
      if (!openDocumentByPath.has(path)) await send(path, diagnostics);
    for (const path of previousPaths)
      if (!diagnosticsByPath.has(path) && !openDocumentByPath.has(path)) await send(path, []);
    publishedPaths.set(repository.uri, new Set(diagnosticsByPath.keys()));
  });

  documents.onDidChangeContent(({ document }) => publishDocument(document.uri));
  documents.onDidClose(({ document }) => publishDocument(document.uri));
  events.opportunities.event(({ repository }) => publishFolder(repository));
  events.diagnosticsChanged.event(({ uri }) => publishDocument(uri));
  events.opened.event((repository) => {
    publishFolder(repository);
    for (const uri of documents.keys()) publishDocument(uri);
  });
  return {};
};
