// Entry point of the extension in VS Code: connects its parts and starts the language server in the background.

import * as vscode from 'vscode';
import { registerCommands } from './commands.ts';
import type { ClientContext } from './context.ts';
import { registerRulesContent } from './learned/rules.ts';
import { lastFolder } from './folders.ts';
import { followContextKeys } from './status/contextKeys.ts';
import { announceDecisions } from './decisionNotice.ts';
import { startServer, type Server } from './server/languageClient.ts';
import { createLanguageStatus } from './status/languageStatus.ts';
import { describe, showError } from './messages.ts';
import { showOutcome } from './outcomes.ts';
import { followDecisionsElsewhere } from './review/decidedElsewhere.ts';
import { createDrafts } from './review/drafts.ts';
import { storeTypedText } from './review/typedText.ts';
import { createStoredKeys } from './models/storedKeys.ts';
import { registerReasonHover } from './review/evidence.ts';
import { followActiveReview } from './review/openReview.ts';
import { createPreviewTexts } from './review/previewTexts.ts';
import { registerProposalContent } from './review/proposalContent.ts';
import { registerReviewCodeLens } from './review/reviewCodeLens.ts';
import { createReviews } from './review/reviews.ts';
import { createReportPages } from './pages/reportPages.ts';
import { findRuntimeProblem } from './server/runtime.ts';
import { registerOpportunityTree } from './sidebar/opportunityTree.ts';
import { registerSidebar } from './sidebar/sidebarView.ts';
import { followNights } from './nights/nightNotice.ts';
import { registerWritingCommands } from './requests/waitForDone.ts';
import { announceWaiting } from './requests/waitingNotice.ts';
import { createStateFeed } from './status/stateFeed.ts';
import { createStatusItem } from './status/statusItem.ts';
import { publishMcpServer } from './tools/mcpServers.ts';
import { registerAgentTools } from './tools/agentTools.ts';

let server: Server | undefined;

/** Sets up the extension. Returns before the server has started; parts that need the server wait for it. */
export function activate(context: vscode.ExtensionContext): void {
  const startedAt = performance.now();
  const usage = process.cpuUsage();
  const output = vscode.window.createOutputChannel('Selfware', { log: true });
  const problem = findRuntimeProblem();
  if (problem) output.error(problem);
  const onStartFailed = (error: unknown): void => {
    output.error(error instanceof Error ? error : String(error));
    showError(problem ?? `The language server did not start: ${describe(error)}`, output);
  };
  const starting = startServer(
    {
      module: context.asAbsolutePath('dist/main.js'),
      problem,
      folder: () => lastFolder(context.workspaceState),
      onStartFailed,
    },
    output,
  );
  server = starting;
  const reviews = createReviews(starting, context.workspaceState);
  const feed = createStateFeed(starting, describe);
  const keys = createStoredKeys(context.secrets, starting, (error) =>
    output.warn(`The keys of models could not be passed on: ${describe(error)}`),
  );
  const client: ClientContext = {
    server: starting,
    feed,
    reviews,
    drafts: createDrafts(context.workspaceState),
    previews: createPreviewTexts(),
    pages: createReportPages(),
    keys,
    output,
    memory: context.workspaceState,
    extensionUri: context.extensionUri,
  };
  const sidebar = registerSidebar(client);

  context.subscriptions.push(
    output,
    keys,
    feed,
    registerCommands(client),
    registerWritingCommands(),
    registerProposalContent(client),
    registerRulesContent(starting),
    registerReviewCodeLens(reviews, client.drafts),
    storeTypedText(client.drafts),
    registerReasonHover(reviews),
    followActiveReview(feed),
    followDecisionsElsewhere(client),
    sidebar,
    registerOpportunityTree(client),
    createStatusItem(feed, starting),
    createLanguageStatus(feed, starting),
    followContextKeys(feed, server),
    announceDecisions(client, sidebar),
    followNights(client),
    announceWaiting(client),
    registerAgentTools(starting, context.extension),
    publishMcpServer(context.extension),
    // A review that becomes ready in the background is counted in the status bar and the sidebar; it opens nothing.
    starting.onReviewReady((review) => reviews.put(review)),
    starting.onOutcome((outcome) => showOutcome(client, outcome)),
    vscode.workspace.onDidGrantWorkspaceTrust(() => {
      starting.grantTrust().catch((error: unknown) => showError(describe(error), output));
    }),
  );
  const { user, system } = process.cpuUsage(usage);
  output.info(
    `Activated in ${Math.round(performance.now() - startedAt)} ms, ${Math.round((user + system) / 1000)} ms of processor time.`,
  );
}

/** Stops the language server. */
export async function deactivate(): Promise<void> {
  await server?.stop();
}
