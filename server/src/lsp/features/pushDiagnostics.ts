// Publishes diagnostics when a document or the index changes, for clients that do not request them.

import type { Diagnostic } from 'vscode-languageserver/node';
import { documentDiagnostics, folderDiagnostics } from '../diagnostics.ts';
import { guardEvent } from '../guardHandlers.ts';
import { openDocuments } from '../openDocuments.ts';
import type { Feature, Repository } from '../serverContext.ts';

export const pushDiagnostics: Feature = (context) => {
  const { connection, abilities, documents, events, log } = context;
  if (abilities.pullDiagnostics) return {};
  /** Paths that had diagnostics at the last update of the folder, by its URI. Includes open documents. */
  const publishedPaths = new Map<string, Set<string>>();

  const publishDocument = guardEvent(log, 'Publishing diagnostics', async (uri: string) => {
    const requestedVersion = documents.get(uri)?.version;
    const diagnostics = [...(await documentDiagnostics(context, uri))];
    const version = documents.get(uri)?.version;
    // A newer version or the closing of the document publishes its own diagnostics, so this result is outdated.
    if (requestedVersion !== version) return;
    await connection.sendDiagnostics({ uri, diagnostics, ...(version === undefined ? {} : { version }) });
  });

  const publishFolder = guardEvent(log, 'Publishing diagnostics', async (repository: Repository) => {
    const previousPaths = publishedPaths.get(repository.uri) ?? new Set();
    const diagnosticsByPath = await folderDiagnostics(context, repository);
    const open = openDocuments(context, repository);
    const send = (path: string, diagnostics: readonly Diagnostic[]) =>
      connection.sendDiagnostics({ uri: repository.uriOf(path), diagnostics: [...diagnostics] });
    // An open document has its own diagnostics, for its text in the editor.
    for (const [path, diagnostics] of diagnosticsByPath) if (!open.has(path)) await send(path, diagnostics);
    for (const path of previousPaths) if (!diagnosticsByPath.has(path) && !open.has(path)) await send(path, []);
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
