// Entry point of the extension in VS Code: connects its parts and starts the language server in the background.

import * as vscode from 'vscode';
import { registerCommands } from './commands.ts';
import type { ClientContext } from './context.ts';
import { registerRulesContent } from './learned/rules.ts';
import { recallFolder } from './folders.ts';
import { keepContextKeysCurrent } from './status/contextKeys.ts';
import { announceDecisions } from './decisionNotice.ts';
import { startServer, type Server } from './server/languageClient.ts';
import { createLanguageStatus } from './status/languageStatus.ts';
import { describeError, showError } from './messages.ts';
import { showChangeOutcome } from './outcomes.ts';
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
import { explainUnusableRuntime } from './server/runtime.ts';
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
  const usageAtStart = process.cpuUsage();
  const output = vscode.window.createOutputChannel('Selfware', { log: true });
  const runtimeProblem = explainUnusableRuntime();
  if (runtimeProblem) output.error(runtimeProblem);
  const reportStartFailure = (error: unknown): void => {
    output.error(error instanceof Error ? error : String(error));
    showError(runtimeProblem ?? `The language server did not start: ${describeError(error)}`, output);
  };
  const startingServer = startServer(
    {
      module: context.asAbsolutePath('dist/main.js'),
      problem: runtimeProblem,
      folder: () => recallFolder(context.workspaceState),
      onStartFailed: reportStartFailure,
    },
    output,
  );
  server = startingServer;
  const reviews = createReviews(startingServer, context.workspaceState);
  const feed = createStateFeed(startingServer, describeError);
  const keys = createStoredKeys(context.secrets, startingServer, (error) =>
    output.warn(`The keys of models could not be passed on: ${describeError(error)}`),
  );
  const client: ClientContext = {
    server: startingServer,
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
    registerRulesContent(startingServer),
    registerReviewCodeLens(reviews, client.drafts),
    storeTypedText(client.drafts),
    registerReasonHover(reviews),
    followActiveReview(feed),
    followDecisionsElsewhere(client),
    sidebar,
    registerOpportunityTree(client),
    createStatusItem(feed, startingServer),
    createLanguageStatus(feed, startingServer),
    keepContextKeysCurrent(feed, server),
    announceDecisions(client, sidebar),
    followNights(client),
    announceWaiting(client),
    registerAgentTools(startingServer, context.extension),
    publishMcpServer(context.extension),
    // A review that becomes ready in the background is counted in the status bar and the sidebar; it opens nothing.
    startingServer.onReviewReady((review) => reviews.put(review)),
    startingServer.onOutcome((outcome) => showChangeOutcome(client, outcome)),
    vscode.workspace.onDidGrantWorkspaceTrust(() => {
      startingServer.grantTrust().catch((error: unknown) => showError(describeError(error), output));
    }),
  );
  const { user, system } = process.cpuUsage(usageAtStart);
  output.info(
    `Activated in ${Math.round(performance.now() - startedAt)} ms, ${Math.round((user + system) / 1000)} ms of processor time.`,
  );
}

/** Stops the language server. */
export async function deactivate(): Promise<void> {
  await server?.stop();
}
