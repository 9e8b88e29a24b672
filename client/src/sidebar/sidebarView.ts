// Connects the sidebar's webview with the extension: sends it changes of the state, and runs the actions that it
// requests. What is selected, filtered or expanded is stored by the page itself.

import { randomBytes } from 'node:crypto';
import * as vscode from 'vscode';
import type { SidebarState } from '#protocol/state';
import type { FromWebview, ToWebview } from '#protocol/webviewMessages';
import type { ClientContext } from '../context.ts';
import { folderOfSidebar } from '../folders.ts';
import { withErrorBoundary } from '../messages.ts';
import { runAction, type SidebarAction } from './act.ts';
import { renderPage } from './page.ts';
import { losesPart, findStateChanges } from './stateChanges.ts';

/** The sidebar in this window. */
export interface Sidebar extends vscode.Disposable {
  /** True if the person sees it. */
  readonly visible: boolean;
}

/** Registers the provider of the sidebar's webview. */
export function registerSidebar(context: ClientContext): Sidebar {
  let currentView: vscode.WebviewView | null = null;
  const provider = vscode.window.registerWebviewViewProvider('selfware.sidebar', {
    resolveWebviewView: (view) => {
      currentView = view;
      view.onDidDispose(() => (currentView = null));
      connectPage(context, view);
    },
  });
  return {
    get visible() {
      return currentView?.visible ?? false;
    },
    dispose: () => provider.dispose(),
  };
}

/** Loads the page into the view, and exchanges messages with it until the view is closed. */
function connectPage(context: ClientContext, view: vscode.WebviewView): void {
  const { feed, output, server, extensionUri } = context;
  const webviewFolder = vscode.Uri.joinPath(extensionUri, 'dist', 'webview');
  /** The state that was last sent to the page; null if the complete state must be sent next. */
  let sentState: SidebarState | null = null;
  const send = (message: ToWebview) => void view.webview.postMessage(message);
  const sendAll = () => {
    sentState = null;
    sendChanges();
  };
  view.webview.options = { enableScripts: true, localResourceRoots: [webviewFolder] };
  const subscriptions = vscode.Disposable.from(
    feed.onChange(sendChanges),
    // VS Code destroys the page when it is hidden. The next page needs the complete state.
    view.onDidChangeVisibility(sendAll),
    view.webview.onDidReceiveMessage(
      (message: FromWebview) => void withErrorBoundary(output, () => handleMessage(message)),
    ),
  );
  view.onDidDispose(() => subscriptions.dispose());
  view.webview.html = renderPage({
    source: view.webview.cspSource,
    nonce: randomBytes(16).toString('base64'),
    uriOf: (file) => view.webview.asWebviewUri(vscode.Uri.joinPath(webviewFolder, file)).toString(),
  });

  function sendChanges(): void {
    if (!view.visible) return;
    if (!vscode.workspace.workspaceFolders?.length) return send({ type: 'noFolder' });
    if (feed.failure !== null) {
      sentState = null;
      return send({ type: 'failure', message: feed.failure });
    }
    const state = feed.current;
    if (!state) return;
    if (sentState && losesPart(sentState, state)) sentState = null;
    const changes = sentState && findStateChanges(sentState, state);
    if (!sentState) send({ type: 'state', state });
    else if (changes) send({ type: 'patch', changes });
    sentState = state;
  }

  async function handleMessage(message: FromWebview): Promise<void> {
    if (message.type === 'ready') sendAll();
    else if (message.type === 'opportunities') await sendOpportunities(message);
    else await runAction(message satisfies SidebarAction, folderOfSidebar(feed));
  }

  async function sendOpportunities({
    request,
    type: _type,
    ...params
  }: Extract<FromWebview, { type: 'opportunities' }>): Promise<void> {
    // The failure is only logged, because the state of the sidebar already shows that the server does not answer.
    const page = await server.opportunities(params).catch((error: unknown) => {
      output.debug(`A page of opportunities could not be loaded: ${String(error)}`);
      return null;
    });
    send({ type: 'page', request, page });
  }
}
