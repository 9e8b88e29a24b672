// The language server as typed calls: hides the protocol from the rest of the client.

import * as vscode from 'vscode';
import type { LanguageClient, ProgressType, WorkDoneProgressBegin, WorkDoneProgressEnd, WorkDoneProgressReport } from 'vscode-languageclient/node';
import type { SearchAnswer, SearchParams } from '#protocol/memory';
import { clientNotifications, clientRequests, notifications, requests, serverCommands } from '#protocol/methods';
import type { CommandOutcome, Review, SaveParams } from '#protocol/review';
import type { SidebarState } from '#protocol/state';
import { saveDocuments } from './documentSaver.ts';
import { ownProgress, startClient } from './startClient.ts';

type WorkDone = WorkDoneProgressBegin | WorkDoneProgressReport | WorkDoneProgressEnd;

export interface ExecuteOptions {
  readonly token?: vscode.CancellationToken;
  readonly onProgress?: (message: string) => void;
}

/** Every call waits until the server has started and rejects with a sentence when it cannot. */
export interface Server {
  readonly onStateChanged: vscode.Event<void>;
  readonly onReviewReady: vscode.Event<Review>;
  state(): Promise<SidebarState>;
  review(proposal: string): Promise<Review>;
  search(params: SearchParams): Promise<SearchAnswer>;
  execute(command: keyof typeof serverCommands, params?: object, options?: ExecuteOptions): Promise<CommandOutcome>;
  grantTrust(): Promise<void>;
  stop(): Promise<void>;
}

/** Starts the server in the background and returns at once. With `trouble` it is not even tried, and every call rejects with that sentence. */
export function startServer(module: string, output: vscode.LogOutputChannel, trouble: string | null, onStartFailed: (error: unknown) => void): Server {
  const stateChanged = new vscode.EventEmitter<void>();
  const reviewReady = new vscode.EventEmitter<Review>();
  const started = trouble ? Promise.reject<LanguageClient>(new Error(trouble)) : startClient(module, output, prepare);
  started.catch(onStartFailed);
  let calls = 0;

  return {
    onStateChanged: stateChanged.event,
    onReviewReady: reviewReady.event,
    state: async () => (await started).sendRequest<SidebarState>(requests.state),
    review: async (proposal) => {
      const review = await (await started).sendRequest<Review | null>(requests.review, { proposal });
      if (!review) throw new Error('There is no such proposal any more.');
      return review;
    },
    search: async (params) => (await started).sendRequest<SearchAnswer>(requests.search, params),
    execute: async (command, params = {}, { token, onProgress } = {}) => {
      const client = await started;
      const { ExecuteCommandRequest, WorkDoneProgress } = await import('vscode-languageclient/node');
      const workDoneToken = `${ownProgress}${++calls}`;
      const progress = onProgress && client.onProgress(WorkDoneProgress.type as ProgressType<WorkDone>, workDoneToken, (value) => onProgress(progressText(value)));
      try {
        return (await client.sendRequest(ExecuteCommandRequest.type, { command: serverCommands[command], arguments: [params], ...(onProgress ? { workDoneToken } : {}) }, token)) as CommandOutcome;
      } finally {
        progress?.dispose();
      }
    },
    grantTrust: async () => (await started).sendNotification(clientNotifications.trust, { trusted: true }),
    stop: async () => {
      const client = await started.catch(() => null);
      if (client?.needsStop()) await client.stop();
      stateChanged.dispose();
      reviewReady.dispose();
    },
  };

  function prepare(client: LanguageClient): void {
    client.onNotification(notifications.stateChanged, () => stateChanged.fire());
    client.onNotification(notifications.reviewReady, (review: Review) => reviewReady.fire(review));
    client.onRequest(clientRequests.save, (params: SaveParams) => saveDocuments(params));
  }
}

function progressText(value: WorkDone): string {
  return value.message ?? (value.kind === 'begin' ? value.title : '');
}
