// Provides pull diagnostics (LSP 3.17), which the client requests: `textDocument/diagnostic`, and
// `workspace/diagnostic` if the settings include closed files.

import { setImmediate } from 'node:timers/promises';
import {
  DocumentDiagnosticRequest,
  type DiagnosticOptions,
  type Disposable,
  type DocumentDiagnosticParams,
  type DocumentDiagnosticReport,
  type ResultProgressReporter,
  type WorkspaceDiagnosticParams,
  type WorkspaceDiagnosticReport,
  type WorkspaceDiagnosticReportPartialResult,
  type WorkspaceDocumentDiagnosticReport,
} from 'vscode-languageserver/node';
import {
  coversClosedFiles,
  computeDocumentDiagnostics,
  computeFolderDiagnostics,
  computeResultId,
} from '../diagnostics.ts';
import { guardRequest, guardEvent, runInBackground } from '../guardHandlers.ts';
import { rejectWhenAborted } from '../../util/watchdog.ts';
import { throwIfCancelled } from '../../util/typedError.ts';
import { findOpenDocuments } from '../openDocuments.ts';
import type { Feature, ServerContext } from '../serverContext.ts';

/** Sends a part of an answer to `workspace/diagnostic`. */
type PartialReporter = ResultProgressReporter<WorkspaceDiagnosticReportPartialResult>;

/** Result ids of documents that were not open, by URI. */
type ClosedResultIds = Map<string, string>;

/** Number of documents in one partial answer. */
const FILES_PER_PART = 100;
/**
 * Milliseconds after a change within which clients request diagnostics. A client that has not done so by then has
 * missed the change.
 */
const MISSED_AFTER_MS = 2_000;

const DIAGNOSTIC_OPTIONS: Omit<DiagnosticOptions, 'workspaceDiagnostics'> = {
  identifier: 'selfware',
  interFileDependencies: false,
};

/** Registers the handlers, if the client supports pull diagnostics. */
export const pullDiagnostics: Feature = (context) => {
  const { connection, abilities, documents, events, repositories, log } = context;
  if (!abilities.pullDiagnostics) return {};
  const emptyReport: DocumentDiagnosticReport = { kind: 'full', items: [] };
  const closedResultIds: ClosedResultIds = new Map();
  /** The version of each open document for which diagnostics were last sent. */
  const answeredVersions = new Map<string, number>();
  /** True once a workspace request was answered. */
  const answeredRequests = { workspace: false };
  connection.languages.diagnostics.on(
    guardRequest<DocumentDiagnosticParams, DocumentDiagnosticReport>(
      log,
      'textDocument/diagnostic',
      emptyReport,
      async (params, signal) => {
        const version = documents.get(params.textDocument.uri)?.version;
        const report = await rejectWhenAborted(createDocumentReport(context, params, closedResultIds), signal);
        if (version !== undefined) answeredVersions.set(params.textDocument.uri, version);
        return report;
      },
    ),
  );
  connection.languages.diagnostics.onWorkspace((params, token, _workDone, partial) =>
    guardRequest<WorkspaceDiagnosticParams, WorkspaceDiagnosticReport>(
      log,
      'workspace/diagnostic',
      { items: [] },
      (request, signal) => createWorkspaceReport(context, request, partial ?? null, answeredRequests, signal),
    )(params, token),
  );

  const refresh = (): void => {
    if (abilities.refreshesDiagnostics)
      runInBackground(log, 'workspace/diagnostic/refresh', () => connection.languages.diagnostics.refresh());
  };
  events.opportunities.event(refresh);
  events.diagnosticsChanged.event(refresh);
  events.opened.event(refresh);

  // VS Code requests no diagnostics for a change that happens before the tab of the document is shown. It is then asked
  // to refresh.
  const timers = new Map<string, NodeJS.Timeout>();
  documents.onDidChangeContent(({ document: { uri } }) => {
    clearTimeout(timers.get(uri));
    const check = (): void => {
      timers.delete(uri);
      const version = documents.get(uri)?.version;
      if (version !== undefined && version !== answeredVersions.get(uri)) refresh();
    };
    timers.set(uri, setTimeout(check, MISSED_AFTER_MS).unref());
  });
  documents.onDidClose(({ document: { uri } }) => {
    clearTimeout(timers.get(uri));
    timers.delete(uri);
    answeredVersions.delete(uri);
  });

  // If VS Code has received diagnostics for a background tab, it does not request them when the document is opened. It
  // is asked to refresh if they differ.
  documents.onDidOpen(
    guardEvent(log, 'didOpen', async ({ document: { uri } }) => {
      const lastId = closedResultIds.get(uri);
      if (
        lastId !== undefined &&
        closedResultIds.delete(uri) &&
        lastId !== computeResultId(await computeDocumentDiagnostics(context, uri))
      )
        refresh();
    }),
  );

  if (!abilities.registersDiagnostics)
    return { capabilities: { diagnosticProvider: { ...DIAGNOSTIC_OPTIONS, workspaceDiagnostics: true } } };
  // Clients send the workspace request every few seconds while it is registered. So it is registered only while the
  // settings include closed files.
  let activeRegistration: { readonly workspace: boolean; readonly registration: Promise<Disposable> } | null = null;
  const registerDiagnostics = (): void => {
    const workspace = repositories.all().some(coversClosedFiles);
    if (activeRegistration?.workspace === workspace) return;
    const previousRegistration = activeRegistration?.registration;
    const registration = (async () => {
      (await previousRegistration)?.dispose();
      return connection.client.register(DocumentDiagnosticRequest.type, {
        ...DIAGNOSTIC_OPTIONS,
        documentSelector: [{ scheme: 'file' }],
        workspaceDiagnostics: workspace,
      });
    })();
    activeRegistration = { workspace, registration };
    runInBackground(log, 'Registering diagnostics', async () => void (await registration));
  };
  events.opened.event(registerDiagnostics);
  return { initialized: registerDiagnostics };
};

/**
 * The report about one document. If it was opened during the analysis of the file, its text in the editor is analysed.
 */
async function createDocumentReport(
  context: ServerContext,
  { textDocument: { uri }, previousResultId }: DocumentDiagnosticParams,
  closedResultIds: ClosedResultIds,
): Promise<DocumentDiagnosticReport> {
  const wasOpen = context.documents.get(uri) !== undefined;
  let items = [...(await computeDocumentDiagnostics(context, uri))];
  const isOpen = context.documents.get(uri) !== undefined;
  if (isOpen && !wasOpen) items = [...(await computeDocumentDiagnostics(context, uri))];
  const id = computeResultId(items);
  if (isOpen) closedResultIds.delete(uri);
  else closedResultIds.set(uri, id);
  return id === previousResultId ? { kind: 'unchanged', resultId: id } : { kind: 'full', resultId: id, items };
}

/**
 * Answers the workspace request. If nothing has changed since the last answer, waits for a change; otherwise the client
 * would repeat the request at once, and each request runs git. A client that accepts partial results receives them in
 * parts, followed by an empty final answer. A request without previous results is answered at once, except a later
 * request of such a client.
 */
async function createWorkspaceReport(
  context: ServerContext,
  { previousResultIds }: WorkspaceDiagnosticParams,
  partial: PartialReporter | null,
  answered: { workspace: boolean },
  signal: AbortSignal,
): Promise<WorkspaceDiagnosticReport> {
  const previousIds = new Map(previousResultIds.map(({ uri, value }) => [uri, value]));
  for (;;) {
    const nextChange = waitForNextChange(context, signal);
    try {
      const items = await rejectWhenAborted(collectWorkspaceItems(context, previousIds), signal);
      const isFirst = previousIds.size === 0 && !(partial && answered.workspace);
      answered.workspace = true;
      if (isFirst || items.some(({ kind }) => kind === 'full'))
        return partial ? await sendInParts(items, partial, signal) : { items };
      await rejectWhenAborted(nextChange.promise, signal);
    } finally {
      nextChange.dispose();
    }
  }
}

/** Sends the reports in parts. Between two parts, other requests are handled. */
async function sendInParts(
  items: readonly WorkspaceDocumentDiagnosticReport[],
  partial: PartialReporter,
  signal: AbortSignal,
): Promise<WorkspaceDiagnosticReport> {
  for (let offset = 0; offset < items.length; offset += FILES_PER_PART) {
    throwIfCancelled(signal);
    partial.report({ items: items.slice(offset, offset + FILES_PER_PART) });
    await setImmediate();
  }
  return { items: [] };
}

/**
 * Reports with the diagnostics of closed files, and empty reports for files that no longer have any. `previousIds`: the
 * result ids that the client has, by URI.
 */
async function collectWorkspaceItems(
  context: ServerContext,
  previousIds: ReadonlyMap<string, string>,
): Promise<WorkspaceDocumentDiagnosticReport[]> {
  const items: WorkspaceDocumentDiagnosticReport[] = [];
  const urisToClear = new Set(previousIds.keys());
  for (const repository of context.repositories.all()) {
    const diagnosticsByPath = await computeFolderDiagnostics(context, repository);
    const openDocumentByPath = findOpenDocuments(context, repository);
    // Clients request diagnostics of open documents one by one.
    for (const uri of previousIds.keys())
      if (openDocumentByPath.has(repository.pathOf(uri) ?? '')) urisToClear.delete(uri);
    for (const [path, diagnostics] of diagnosticsByPath) {
      if (openDocumentByPath.has(path)) continue;
      const uri = repository.uriOf(path);
      urisToClear.delete(uri);
      const id = computeResultId(diagnostics);
      items.push(
        previousIds.get(uri) === id
          ? { kind: 'unchanged', uri, version: null, resultId: id }
          : { kind: 'full', uri, version: null, resultId: id, items: [...diagnostics] },
      );
    }
  }
  const emptyResultId = computeResultId([]);
  for (const uri of urisToClear)
    if (previousIds.get(uri) !== emptyResultId)
      items.push({ kind: 'full', uri, version: null, resultId: emptyResultId, items: [] });
  return items;
}

/** A promise that resolves when opportunities change, when a folder is opened, or when the signal is aborted. */
function waitForNextChange(
  { events }: ServerContext,
  signal: AbortSignal,
): { readonly promise: Promise<void>; dispose(): void } {
  let resolve = (): void => {};
  const promise = new Promise<void>((resolvePromise) => (resolve = resolvePromise));
  const subscriptions = [events.opportunities.event(() => resolve()), events.opened.event(() => resolve())];
  const onAbort = (): void => resolve();
  signal.addEventListener('abort', onAbort);
  if (signal.aborted) resolve();
  return {
    promise,
    dispose() {
      for (const subscription of subscriptions) subscription.dispose();
      signal.removeEventListener('abort', onAbort);
    },
  };
}
