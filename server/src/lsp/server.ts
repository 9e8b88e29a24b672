// The language server: connects a list of features with the connection to the client.

import {
  Emitter,
  TextDocuments,
  type Connection,
  type InitializeParams,
  type InitializeResult,
  type ServerCapabilities,
} from 'vscode-languageserver/node';
import { TextDocument } from 'vscode-languageserver-textdocument';
import { readAbilities } from './clientAbilities.ts';
import { codeActions } from './features/codeActions.ts';
import { codeLenses } from './features/codeLenses.ts';
import { commands } from './features/commands.ts';
import { configuration } from './features/configuration.ts';
import { repositoryRules } from './features/broughtRules.ts';
import { dismissals } from './features/dismissals.ts';
import { documentSync } from './features/documentSync.ts';
import { evidence } from './features/evidence.ts';
import { feedback } from './features/feedback.ts';
import { hover } from './features/hover.ts';
import { memory } from './features/memory.ts';
import { modelKeys } from './features/modelKeys.ts';
import { forwardDecisionsOfOtherProcesses } from './features/otherWindows.ts';
import { pullDiagnostics } from './features/pullDiagnostics.ts';
import { pushDiagnostics } from './features/pushDiagnostics.ts';
import { sidebar } from './features/sidebar.ts';
import { tools } from './features/tools.ts';
import { watchedFiles } from './features/watchedFiles.ts';
import { workspaceFolders } from './features/workspaceFolders.ts';
import { workspaceSymbols } from './features/workspaceSymbols.ts';
import { createEditorModels } from './editorModels.ts';
import { runInBackground } from './guardHandlers.ts';
import { createLiveDocuments } from './liveDocuments.ts';
import { createRepositories } from './repositories.ts';
import type { Feature, FeatureParts, ServerContext, ServerDependencies } from './serverContext.ts';
import { offerReview } from './offerReview.ts';

/**
 * All features. `workspaceFolders` is the last one, so that the others have subscribed to events when it opens the
 * folders.
 */
const FEATURES: readonly Feature[] = [
  documentSync,
  configuration,
  pullDiagnostics,
  pushDiagnostics,
  codeActions,
  codeLenses,
  hover,
  commands,
  memory,
  modelKeys,
  evidence,
  repositoryRules,
  dismissals,
  feedback,
  workspaceSymbols,
  sidebar,
  forwardDecisionsOfOtherProcesses,
  tools,
  watchedFiles,
  workspaceFolders,
];

/** A language server that has been started. */
export interface RunningServer {
  /** Closes the sessions. To be called if the connection ends without the `shutdown` request of the protocol. */
  close(): Promise<void>;
}

/**
 * Starts the server, which runs until the connection ends. No folder is opened before the client has sent
 * `initialized`.
 */
export function startServer(connection: Connection, dependencies: ServerDependencies, version: string): RunningServer {
  let context: ServerContext | null = null;
  let featureParts: readonly FeatureParts[] = [];
  const close = async (): Promise<void> => {
    await Promise.all(featureParts.map((part) => part.close?.()));
    await context?.repositories.close();
  };

  connection.onInitialize((params): InitializeResult => {
    const newContext = createContext(connection, dependencies, params);
    context = newContext;
    featureParts = FEATURES.map((feature) => feature(newContext, params));
    const capabilities: ServerCapabilities = Object.assign(
      { positionEncoding: 'utf-16' },
      ...featureParts.map((part) => part.capabilities ?? {}),
    );
    return { capabilities, serverInfo: { name: 'Selfware', version } };
  });
  connection.onInitialized(() => {
    for (const { initialized } of featureParts)
      if (initialized) runInBackground(dependencies.log, 'Start', async () => initialized());
  });
  connection.onShutdown(close);
  connection.listen();
  return { close };
}

/** The context of all features, which exists once the client has sent `initialize`. */
function createContext(
  connection: Connection,
  dependencies: ServerDependencies,
  params: InitializeParams,
): ServerContext {
  const abilities = readAbilities(params);
  const context: ServerContext = {
    ...dependencies,
    connection,
    abilities,
    documents: new TextDocuments(TextDocument),
    repositories: createRepositories(() => context, abilities),
    editorModels: createEditorModels(connection, abilities),
    windowRun: { startedAt: Date.now(), runs: new Set(), changes: new Set() },
    storedKeys: abilities.canStoreKeys ? new Map() : undefined,
    live: createLiveDocuments(() => context),
    offerReview: (repository, proposal) => offerReview(context, repository, proposal),
    events: {
      opportunities: new Emitter(),
      diagnosticsChanged: new Emitter(),
      status: new Emitter(),
      opened: new Emitter(),
    },
    pushedSettings: undefined,
  };
  return context;
}
