// Host of the sidebar webview: sends it the state and turns its messages into commands. The page keeps its own view state.

import { randomBytes } from 'node:crypto';
import * as vscode from 'vscode';
import type { FromWebview, ToWebview } from '#protocol/webviewMessages';
import type { ClientContext } from '../context.ts';
import { guarded } from '../messages.ts';
import { sidebarPage } from './page.ts';

export function registerSidebar(context: ClientContext): vscode.Disposable {
  return vscode.window.registerWebviewViewProvider('selfware.sidebar', { resolveWebviewView: (view) => resolve(context, view) });
}

function resolve(context: ClientContext, view: vscode.WebviewView): void {
  const { feed, output, extensionUri } = context;
  const folder = vscode.Uri.joinPath(extensionUri, 'dist', 'webview');
  const send = (message: ToWebview) => void view.webview.postMessage(message);
  const show = () => {
    const waiting = feed.current?.pending.length ?? 0;
    view.badge = waiting ? { value: waiting, tooltip: waiting === 1 ? '1 proposal waits for your decision' : `${waiting} proposals wait for your decision` } : undefined;
    if (!view.visible) return;
    if (!vscode.workspace.workspaceFolders?.length) send({ type: 'noFolder' });
    else if (feed.failure !== null) send({ type: 'failure', message: feed.failure });
    else if (feed.current) send({ type: 'state', state: feed.current });
  };
  view.webview.options = { enableScripts: true, localResourceRoots: [folder] };
  const subscriptions = vscode.Disposable.from(
    feed.onChange(show),
    view.onDidChangeVisibility(show),
    view.webview.onDidReceiveMessage((message: FromWebview) => void guarded(output, () => (message.type === 'ready' ? show() : act(message)))),
  );
  view.onDidDispose(() => subscriptions.dispose());
  view.webview.html = sidebarPage({ source: view.webview.cspSource, nonce: randomBytes(16).toString('base64'), address: (file) => view.webview.asWebviewUri(vscode.Uri.joinPath(folder, file)).toString() });
}

/** Every button of the sidebar is a command that the palette has too. */
async function act(message: Exclude<FromWebview, { type: 'ready' }>): Promise<unknown> {
  const run = (command: string, given?: object) => vscode.commands.executeCommand(command, given);
  switch (message.type) {
    case 'openOpportunity':
      return openAt(message.path, message.line);
    case 'improve':
      return run('selfware.improve', message.opportunity === undefined ? {} : { opportunity: message.opportunity });
    case 'review':
      return run('selfware.reviewProposal', { proposal: message.proposal });
    case 'reject':
      return run('selfware.reject', { proposal: message.proposal });
    case 'rollback':
      return run('selfware.rollback', { checkpoint: message.checkpoint });
    case 'openRule':
      return run('selfware.openRuleDocs', { rule: message.rule });
    case 'index':
    case 'stop':
    case 'resume':
    case 'showOutput':
      return run(`selfware.${message.type}`);
    case 'manageTrust':
      return run('workbench.trust.manage');
    case 'openFolder':
      return run('vscode.openFolder');
  }
}

/** `line` is 1-based; paths come from the first folder of the workspace, the one that the state is about. */
async function openAt(path: string, line: number): Promise<void> {
  const [folder] = vscode.workspace.workspaceFolders ?? [];
  if (!folder) return;
  const at = new vscode.Position(Math.max(0, line - 1), 0);
  await vscode.window.showTextDocument(vscode.Uri.joinPath(folder.uri, path), { selection: new vscode.Range(at, at) });
}
