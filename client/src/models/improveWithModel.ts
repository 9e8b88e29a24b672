// "Improve with a Model…": asks the person for a model, a task, and consent to send code. The server then asks the
// model, and the review of its change opens.

import * as vscode from 'vscode';
import type { ImproveWithModelParams, ModelChoices } from '#protocol/models';
import type { CommandOutcome } from '#protocol/review';
import type { ClientContext } from '../context.ts';
import { offerTrust } from '../improve.ts';
import { showFailure, showMessage } from '../messages.ts';
import { showPage } from '../pages/showPage.ts';
import { runOnce } from '../runOnce.ts';
import { openReview } from '../review/openReview.ts';
import { showEvidence } from '../review/evidence.ts';
import { withProgress } from '../server/withProgress.ts';
import { askToSendCode } from './sendCode.ts';
import { pickProposer } from './pickProposer.ts';

const TITLE = 'Improve with a Model';

/**
 * Runs the command. If neither `opportunity` nor `presetTask` is given, asks the person for the task. Undefined if the
 * person cancels, in a workspace that is not trusted, and if the available models cannot be listed.
 */
export async function improveWithModel(
  context: ClientContext,
  opportunity?: string,
  presetTask?: Omit<ImproveWithModelParams, 'proposer'>,
): Promise<CommandOutcome | undefined> {
  if (!vscode.workspace.isTrusted) {
    await offerTrust();
    return undefined;
  }
  const available = await context.server.execute('improveWithModel', {});
  if (!available.ok || !available.models) {
    showFailure(available, context.output);
    return undefined;
  }
  const proposer = await pickProposer(context, available.models);
  if (proposer === undefined) return undefined;
  const task = presetTask ?? (opportunity === undefined ? await pickTask(available.models) : { opportunity });
  return task && askModel(context, { proposer, ...task });
}

/** The request for the model: a place, a wish as text, or tests for a file. */
type Task = Pick<ImproveWithModelParams, 'opportunity' | 'words' | 'tests'>;

/** Asks for the task. Returns `{}` for the most valuable task, and undefined if the person cancels. */
async function pickTask({ best }: ModelChoices): Promise<Task | undefined> {
  const mostValuableOption = {
    label: '$(sparkle) What Is Worth Most',
    detail: 'A failing test is fixed, a mistake that no test notices gets a test, or a place is improved.',
  };
  const describeOption = {
    label: '$(edit) In Words…',
    detail: 'Say what you want. The answer has to bring tests for it.',
  };
  const document = vscode.window.activeTextEditor?.document;
  const testsOption = document?.uri.scheme === 'file' &&
    /^(?:java|type)script(?:react)?$/.test(document.languageId) && {
      label: '$(beaker) Tests for This File',
      description: vscode.workspace.asRelativePath(document.uri),
      detail: 'Tests that notice mistakes which no test notices today.',
    };
  const bestOpportunityOption = best && {
    label: `$(lightbulb) ${best.message.replaceAll('`', '')}`,
    description: best.place,
    detail: 'The best opportunity that no recipe can change.',
  };
  const options = [
    mostValuableOption,
    describeOption,
    ...(testsOption ? [testsOption] : []),
    ...(bestOpportunityOption ? [bestOpportunityOption] : []),
  ];
  const chosenOption = await vscode.window.showQuickPick(options, {
    title: TITLE,
    placeHolder: 'What should be improved?',
  });
  if (!chosenOption) return undefined;
  if (chosenOption === mostValuableOption) return {};
  if (document && chosenOption === testsOption) return { tests: document.uri.toString() };
  if (best && chosenOption === bestOpportunityOption) return { opportunity: best.opportunity };
  const input = await vscode.window.showInputBox({
    title: TITLE,
    prompt: 'What do you want? Name files that it is about.',
    ignoreFocusOut: true,
  });
  return input?.trim() ? { words: input.trim() } : undefined;
}

/**
 * Asks the model and opens the review. If code would leave this machine, the person must agree first; if the server
 * suggests research, the person decides whether to search online. Undefined if the person cancels. `title`: the title
 * of the progress.
 */
export async function askModel(
  context: ClientContext,
  params: ImproveWithModelParams,
  title = TITLE,
): Promise<CommandOutcome | undefined> {
  const outcome = await runOnce(`ask ${JSON.stringify(params)}`, () =>
    withProgress(context, title, 'improveWithModel', params),
  );
  if (!outcome) return undefined;
  if (outcome.consent && params.agreed !== outcome.consent.destination) {
    const { destination } = outcome.consent;
    return (await askToSendCode(outcome.consent))
      ? askModel(context, { ...params, agreed: destination }, title)
      : undefined;
  }
  if (outcome.research && params.asked !== outcome.research.detail) {
    const { question, detail } = outcome.research;
    const [searchLabel, noSearchLabel] = ['Search Online', 'Do Not Search'];
    const answer = await vscode.window.showInformationMessage(
      question,
      { modal: true, detail },
      searchLabel,
      noSearchLabel,
    );
    return answer === undefined
      ? undefined
      : askModel(context, { ...params, research: answer === searchLabel, asked: detail }, title);
  }
  await context.feed.refresh();
  if (outcome.review) context.reviews.put(outcome.review);
  if (outcome.ok && outcome.review) await openReview(outcome.review);
  else void offerNextStep(context, outcome, params, title);
  return outcome;
}

/** Shows why there is nothing to review, with buttons for the next steps, and runs the chosen one. */
async function offerNextStep(
  context: ClientContext,
  outcome: CommandOutcome,
  params: ImproveWithModelParams,
  title: string,
): Promise<void> {
  const { message, page, review, cancelled } = outcome;
  if (cancelled || !page) return showFailure(outcome, context.output);
  const [evidenceLabel, attemptsLabel, againLabel] = ['Show Evidence', 'Show Attempts', 'Try Again'];
  const correctLabel = 'Correct…';
  const choices = [
    ...(review?.verdicts.length ? [evidenceLabel] : []),
    // Attempts at a request are not offered here, because the sidebar shows them.
    params.wish === undefined ? attemptsLabel : correctLabel,
    againLabel,
  ];
  const choice = await showMessage(message, ...choices);
  if (choice === evidenceLabel && review) await showEvidence(context, review.id);
  if (choice === attemptsLabel) await showPage(context, page);
  if (choice === correctLabel)
    await vscode.commands.executeCommand('selfware.requests', { request: params.wish, action: 'correct' });
  if (choice === againLabel) await askModel(context, { ...params, again: true }, title);
}
