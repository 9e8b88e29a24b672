// Entry of the extension: wires the parts and starts the server in the background.

import * as vscode from 'vscode';
import { registerCommands } from './commands.ts';
import type { ClientContext } from './context.ts';
import { startServer, type Server } from './languageClient.ts';
import { describe, showTrouble } from './messages.ts';
import { followActiveReview } from './review/openReview.ts';
import { registerProposalContent } from './review/proposalContent.ts';
import { registerReviewCodeLens } from './review/reviewCodeLens.ts';
import { createReviews } from './review/reviews.ts';
import { runtimeTrouble } from './runtime.ts';
import { registerSidebar } from './sidebar/sidebarView.ts';
import { createStateFeed } from './stateFeed.ts';
import { createStatusItem } from './statusItem.ts';

let server: Server | undefined;

/** Returns at once; what needs the server waits for it by itself. */
export function activate(context: vscode.ExtensionContext): void {
  const output = vscode.window.createOutputChannel('Selfware', { log: true });
  const trouble = runtimeTrouble();
  if (trouble) output.error(trouble);
  const started = startServer(context.asAbsolutePath('dist/main.js'), output, trouble, (error) => {
    output.error(error instanceof Error ? error : String(error));
    showTrouble(trouble ?? `The language server did not start: ${describe(error)}`, output);
  });
  server = started;
  const reviews = createReviews(started, context.workspaceState);
  const feed = createStateFeed(started, describe);
  const client: ClientContext = { server: started, feed, reviews, output, extensionUri: context.extensionUri };

  context.subscriptions.push(
    output,
    feed,
    registerCommands(client),
    registerProposalContent(reviews),
    registerReviewCodeLens(reviews),
    followActiveReview(),
    registerSidebar(client),
    createStatusItem(feed),
    // A review that becomes ready in the background is counted in the status bar and the sidebar; it opens nothing.
    started.onReviewReady((review) => reviews.put(review)),
    vscode.workspace.onDidGrantWorkspaceTrust(() => {
      started.grantTrust().catch((error: unknown) => showTrouble(describe(error), output));
    }),
  );
}

export async function deactivate(): Promise<void> {
  await server?.stop();
}
