// The language server as typed calls: starts it in VS Code's own runtime over IPC and hides the protocol from the rest of the client.

import * as vscode from 'vscode';
import { ExecuteCommandRequest, LanguageClient, RevealOutputChannelOn, TransportKind, WorkDoneProgress } from 'vscode-languageclient/node';
import type { LanguageClientOptions, Middleware, ServerOptions, WorkDoneProgressBegin, WorkDoneProgressEnd, WorkDoneProgressReport } from 'vscode-languageclient/node';
import { clientNotifications, clientRequests, notifications, requests, serverCommands } from '#protocol/methods';
import type { CommandOutcome, InitializationOptions, Review, SaveParams } from '#protocol/review';
import type { SidebarState } from '#protocol/state';
import { saveDocuments } from './documentSaver.ts';

type ServerCommand = keyof typeof serverCommands;

export interface ExecuteOptions {
  readonly token?: vscode.CancellationToken;
  readonly onProgress?: (message: string) => void;
}

/** Every call waits until the server has started and rejects with the server's sentence when it cannot. */
export interface Server {
  readonly onStateChanged: vscode.Event<void>;
  readonly onReviewReady: vscode.Event<Review>;
  state(): Promise<SidebarState>;
  review(proposal: string): Promise<Review>;
  execute(command: ServerCommand, params?: object, options?: ExecuteOptions): Promise<CommandOutcome>;
  grantTrust(): Promise<void>;
  stop(): Promise<void>;
}

/** Server commands that other parts of VS Code run (code actions, CodeLens) take the way of the user's own commands. */
const userCommands: Readonly<Record<string, string>> = {
  [serverCommands.index]: 'selfware.index',
  [serverCommands.improve]: 'selfware.improve',
  [serverCommands.apply]: 'selfware.applyAll',
  [serverCommands.reject]: 'selfware.reject',
  [serverCommands.rollback]: 'selfware.rollback',
  [serverCommands.stop]: 'selfware.stop',
  [serverCommands.resume]: 'selfware.resume',
  [serverCommands.showProposal]: 'selfware.reviewProposal',
};

const languages = ['typescript', 'typescriptreact', 'javascript', 'javascriptreact', 'python', 'rust', 'go', 'java', 'c', 'cpp'];

/** Starts the server in the background and returns at once. With `trouble` it is not even tried, and every call rejects with that sentence. */
export function startServer(module: string, output: vscode.LogOutputChannel, trouble: string | null, onStartFailed: (error: unknown) => void): Server {
  const stateChanged = new vscode.EventEmitter<void>();
  const reviewReady = new vscode.EventEmitter<Review>();
  const client = new LanguageClient('selfware', 'Selfware', serverOptions(module), clientOptions(output));
  client.onNotification(notifications.stateChanged, () => stateChanged.fire());
  client.onNotification(notifications.reviewReady, (review: Review) => reviewReady.fire(review));
  client.onRequest(clientRequests.save, (params: SaveParams) => saveDocuments(params));
  const started = trouble ? Promise.reject(new Error(trouble)) : client.start();
  started.catch(onStartFailed);
  let calls = 0;

  return {
    onStateChanged: stateChanged.event,
    onReviewReady: reviewReady.event,
    state: () => request<SidebarState>(requests.state),
    review: async (proposal) => {
      const review = await request<Review | null>(requests.review, { proposal });
      if (!review) throw new Error('There is no such proposal any more.');
      return review;
    },
    execute: async (command, params = {}, { token, onProgress } = {}) => {
      await started;
      const workDoneToken = `selfware-client-${++calls}`;
      const progress = onProgress && client.onProgress(WorkDoneProgress.type, workDoneToken, (value) => onProgress(progressText(value)));
      try {
        return (await client.sendRequest(ExecuteCommandRequest.type, { command: serverCommands[command], arguments: [params], ...(onProgress ? { workDoneToken } : {}) }, token)) as CommandOutcome;
      } finally {
        progress?.dispose();
      }
    },
    grantTrust: async () => {
      await started;
      await client.sendNotification(clientNotifications.trust, { trusted: true });
    },
    stop: async () => {
      stateChanged.dispose();
      reviewReady.dispose();
      if (client.needsStop()) await client.stop();
    },
  };

  async function request<R>(method: string, params?: object): Promise<R> {
    await started;
    return params ? client.sendRequest<R>(method, params) : client.sendRequest<R>(method);
  }
}

function serverOptions(module: string): ServerOptions {
  // `node:sqlite` needs no flag from 22.13 on but announces itself as experimental on stderr.
  const quiet = ['--disable-warning=ExperimentalWarning'];
  return {
    run: { module, transport: TransportKind.ipc, options: { execArgv: quiet } },
    debug: { module, transport: TransportKind.ipc, options: { execArgv: [...quiet, '--nolazy', '--inspect=6009', '--enable-source-maps'] } },
  };
}

function clientOptions(output: vscode.LogOutputChannel): LanguageClientOptions {
  const initializationOptions: InitializationOptions = { trusted: vscode.workspace.isTrusted, canSave: true };
  const middleware: Middleware = {
    executeCommand: (command, args, next) => {
      const user = userCommands[command];
      return user ? vscode.commands.executeCommand(user, ...args) : next(command, args);
    },
  };
  return {
    documentSelector: languages.map((language) => ({ scheme: 'file', language })),
    initializationOptions,
    middleware,
    outputChannel: output,
    revealOutputChannelOn: RevealOutputChannelOn.Never,
    // The caller says it once, with what to do; a second attempt would end the same way.
    initializationFailedHandler: () => false,
  };
}

function progressText(value: WorkDoneProgressBegin | WorkDoneProgressReport | WorkDoneProgressEnd): string {
  return value.message ?? (value.kind === 'begin' ? value.title : '');
}
