// Answers `workspace/executeCommand`: runs the server command. Each command answers with a sentence for the user, even
// if it fails.

import type { ExecuteCommandParams, WorkDoneProgressReporter } from 'vscode-languageserver/node';
import { serverCommands } from '#protocol/methods';
import type { CommandOutcome } from '#protocol/review';
import { SelfwareError, describeError } from '../../util/typedError.ts';
import { applyCommand } from '../commands/apply.ts';
import { installComponentCommand } from '../commands/installComponent.ts';
import { commitCommand, judgeCommand, keepCommand } from '../commands/changes.ts';
import type { ServerCommand } from '../commands/command.ts';
import { dismissCommand, explainCommand, suppressCommand } from '../commands/decisions.ts';
import { fixAllCommand } from '../commands/fixAll.ts';
import { improveCommand } from '../commands/improve.ts';
import { improveWithModelCommand } from '../commands/improveWithModel.ts';
import { indexCommand } from '../commands/index.ts';
import { cancelIndexingCommand, pauseIndexingCommand, resumeIndexingCommand } from '../commands/indexing.ts';
import { judgeBranchCommand } from '../commands/judgeBranch.ts';
import { acceptanceTestCommand, decideAcceptanceCommand } from '../commands/nights/acceptance.ts';
import {
  acceptNightCommand,
  dropNightCommand,
  nightPullRequestCommand,
  squashNightCommand,
} from '../commands/nights/decideNight.ts';
import {
  continueNightCommand,
  endNightCommand,
  runOvernightCommand,
  showNightCommand,
} from '../commands/nights/nights.ts';
import { dropTaskCommand, writeRuleCommand } from '../commands/nights/waitingTasks.ts';
import { decideInboxCommand } from '../commands/inbox.ts';
import { decideRecipeCommand, findRecipesCommand, repeatEditCommand } from '../commands/recipes.ts';
import { decideRepositoryRulesCommand, decideRuleCommand } from '../commands/rules.ts';
import { rejectCommand } from '../commands/reject.ts';
import {
  baselineCommand,
  doctorCommand,
  forgetLessonCommand,
  undismissCommand,
  verifyChangeCommand,
  verifyLedgerCommand,
} from '../commands/reports.ts';
import { wishesCommand } from '../commands/nights/wishes.ts';
import { rollbackCommand } from '../commands/rollback.ts';
import {
  findCallsCommand,
  findExamplesCommand,
  findMistakesCommand,
  measureCoverageCommand,
  proposeTestCommand,
} from '../commands/searches.ts';
import { outdatedCommand } from '../commands/outdated.ts';
import { setupCommand } from '../commands/setup.ts';
import { showProposalCommand } from '../commands/showProposal.ts';
import { resumeCommand, stopCommand } from '../commands/stopAndResume.ts';
import { withdrawConsentCommand } from '../commands/withdrawConsent.ts';
import { isCancelled, createAbortSignal } from '../guardHandlers.ts';
import type { Feature } from '../serverContext.ts';
import { insertCommandTitles, insertTitlesIntoPage } from '../paletteTitles.ts';
import { toUnlinkedText, showMessage } from '../showMessage.ts';

/** The server commands by their ids. */
const COMMAND_BY_ID: Readonly<Record<string, ServerCommand>> = {
  [serverCommands.index]: indexCommand,
  [serverCommands.improve]: improveCommand,
  [serverCommands.improveWithModel]: improveWithModelCommand,
  [serverCommands.installComponent]: installComponentCommand,
  [serverCommands.withdrawConsent]: withdrawConsentCommand,
  [serverCommands.apply]: applyCommand,
  [serverCommands.reject]: rejectCommand,
  [serverCommands.rollback]: rollbackCommand,
  [serverCommands.stop]: stopCommand,
  [serverCommands.resume]: resumeCommand,
  [serverCommands.judge]: judgeCommand,
  [serverCommands.keep]: keepCommand,
  [serverCommands.commit]: commitCommand,
  [serverCommands.showProposal]: showProposalCommand,
  [serverCommands.suppress]: suppressCommand,
  [serverCommands.dismiss]: dismissCommand,
  [serverCommands.explain]: explainCommand,
  [serverCommands.fixAll]: fixAllCommand,
  [serverCommands.pauseIndexing]: pauseIndexingCommand,
  [serverCommands.resumeIndexing]: resumeIndexingCommand,
  [serverCommands.cancelIndexing]: cancelIndexingCommand,
  [serverCommands.findCalls]: findCallsCommand,
  [serverCommands.findMistakes]: findMistakesCommand,
  [serverCommands.findExamples]: findExamplesCommand,
  [serverCommands.proposeTest]: proposeTestCommand,
  [serverCommands.measureCoverage]: measureCoverageCommand,
  [serverCommands.judgeBranch]: judgeBranchCommand,
  [serverCommands.findRecipes]: findRecipesCommand,
  [serverCommands.repeatEdit]: repeatEditCommand,
  [serverCommands.decideRecipe]: decideRecipeCommand,
  [serverCommands.setup]: setupCommand,
  [serverCommands.outdated]: outdatedCommand,
  [serverCommands.doctor]: doctorCommand,
  [serverCommands.verifyLedger]: verifyLedgerCommand,
  [serverCommands.verifyChange]: verifyChangeCommand,
  [serverCommands.baseline]: baselineCommand,
  [serverCommands.undismiss]: undismissCommand,
  [serverCommands.forgetLesson]: forgetLessonCommand,
  [serverCommands.decideInbox]: decideInboxCommand,
  [serverCommands.decideBrought]: decideRepositoryRulesCommand,
  [serverCommands.decideRule]: decideRuleCommand,
  [serverCommands.runOvernight]: runOvernightCommand,
  [serverCommands.wishes]: wishesCommand,
  [serverCommands.acceptanceTest]: acceptanceTestCommand,
  [serverCommands.decideAcceptance]: decideAcceptanceCommand,
  [serverCommands.showNight]: showNightCommand,
  [serverCommands.acceptNight]: acceptNightCommand,
  [serverCommands.continueNight]: continueNightCommand,
  [serverCommands.endNight]: endNightCommand,
  [serverCommands.dropNight]: dropNightCommand,
  [serverCommands.squashNight]: squashNightCommand,
  [serverCommands.nightPullRequest]: nightPullRequestCommand,
  [serverCommands.dropTask]: dropTaskCommand,
  [serverCommands.writeRule]: writeRuleCommand,
};

/**
 * Registers the handler. Errors become outcomes: a cancellation is marked as such; other errors are logged and
 * described in a sentence.
 */
export const commands: Feature = (context) => {
  const { connection, log, abilities } = context;

  async function runCommand(
    { command, arguments: args }: ExecuteCommandParams,
    reporter: WorkDoneProgressReporter,
    signal: AbortSignal,
  ): Promise<CommandOutcome> {
    try {
      const handler = Object.hasOwn(COMMAND_BY_ID, command) ? COMMAND_BY_ID[command] : undefined;
      if (!handler) throw new SelfwareError('usage', `There is no command ${command}.`);
      const outcome = await handler(context, { args, reporter, signal });
      const { page } = outcome;
      return {
        ...outcome,
        message: toUnlinkedText(insertCommandTitles(outcome.message, abilities)),
        ...(page ? { page: { ...page, markdown: insertTitlesIntoPage(page.markdown, abilities) } } : {}),
      };
    } catch (error) {
      if (signal.aborted || isCancelled(error))
        return { ok: false, message: 'Cancelled.', review: null, cancelled: true };
      log.write(
        error instanceof SelfwareError && error.reason !== 'internal' ? 'info' : 'error',
        `${command} failed.`,
        error,
      );
      const message = toUnlinkedText(insertCommandTitles(describeError(error), abilities));
      // Selfware's own client shows outcomes; most other clients do not.
      if (!abilities.canReview) showMessage(connection, 'error', message);
      return { ok: false, message, review: null };
    }
  }

  connection.onExecuteCommand(async (params, token, reporter) => {
    const { signal, dispose } = createAbortSignal(token);
    try {
      return await runCommand(params, reporter, signal);
    } finally {
      dispose();
    }
  });
  return {
    capabilities: { executeCommandProvider: { commands: Object.values(serverCommands), workDoneProgress: true } },
  };
};
