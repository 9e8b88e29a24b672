// Decides on the changes of an unattended run ("night"): "Take…", "Drop…" and "Squash the Night's Changes…", and "Open
// a Pull Request for the Night…". Each command says what it will do and asks before it does it.

import * as vscode from 'vscode';
import type { NightChangeState, NightSummary } from '#protocol/nights';
import type { CommandOutcome } from '#protocol/review';
import type { ClientContext } from '../context.ts';
import { showFailure, showMessage } from '../messages.ts';
import { openReview } from '../review/openReview.ts';
import { runOnce } from '../runOnce.ts';
import { withProgress } from '../server/withProgress.ts';
import { refreshNightPage } from './nightCommands.ts';
import {
  createChangeItems,
  decisionParamsOf,
  composeDropAllQuestion,
  listDropChoices,
  composePullRequestQuestion,
  composeSquashQuestion,
  listTakeChoices,
  composeTakeOutQuestion,
  composeTickHint,
  type Question,
} from './decideText.ts';

const NOTHING_LEFT = 'Nothing of the night is left to decide on.';
const NO_NIGHT = 'There was no unattended run here yet.';

/**
 * Takes changes of the newest night into the person's files: after a review, or at once. `changes`: their ids; if
 * undefined, the person chooses. Undefined if there is nothing to take or the person cancels.
 */
export async function acceptNight(
  context: ClientContext,
  changes?: readonly string[],
): Promise<CommandOutcome | undefined> {
  const { night } = await context.feed.refresh();
  if (!night) return void showMessage(NO_NIGHT);
  const title = "Take the Night's Changes";
  const untakenChanges = (night.open ?? []).filter(({ isTaken }) => !isTaken);
  const chosenChanges = await chooseChanges({ ...night, open: untakenChanges }, changes, title, true);
  if (!chosenChanges) return undefined;
  const takeChoice = await vscode.window.showQuickPick(listTakeChoices(chosenChanges.length), {
    title,
    placeHolder:
      chosenChanges.length === 1
        ? `${chosenChanges[0]!.number}. ${chosenChanges[0]!.title}`
        : `${chosenChanges.length} changes`,
  });
  if (!takeChoice) return undefined;
  const outcome = await runOnce('decide a night', () =>
    withProgress(context, "Taking the night's changes", 'acceptNight', {
      ...decisionParamsOf(night, chosenChanges),
      apply: takeChoice.apply,
    }),
  );
  if (!outcome) return undefined;
  await showNightOutcome(context, outcome);
  if (outcome.review) {
    context.reviews.put(outcome.review);
    await openReview(outcome.review);
  }
  return outcome;
}

/**
 * Takes changes out of the newest night, or deletes its branch, once the person has confirmed. `changes`: their ids; if
 * undefined, the person chooses. Undefined if there is nothing to drop or the person cancels.
 */
export async function dropNight(
  context: ClientContext,
  changes?: readonly string[],
): Promise<CommandOutcome | undefined> {
  const { night } = await context.feed.refresh();
  if (!night) return void showMessage(NO_NIGHT);
  const title = "Drop the Night's Changes";
  const dropsWholeNight = changes === undefined ? await askWhetherWhole(night, title) : false;
  if (dropsWholeNight === undefined) return undefined;
  const chosenChanges = dropsWholeNight ? null : await chooseChanges(night, changes, title, false);
  if (chosenChanges === undefined) return undefined;
  const [dropLabel, dropWithReasonLabel] =
    chosenChanges === null ? ['Drop', 'Drop, With a Reason…'] : ['Take Out', 'Take Out, With a Reason…'];
  const { message, detail } =
    chosenChanges === null ? composeDropAllQuestion(night) : composeTakeOutQuestion(night, chosenChanges);
  const answer = await vscode.window.showWarningMessage(
    message,
    { modal: true, detail },
    dropLabel!,
    dropWithReasonLabel!,
  );
  if (answer === undefined) return undefined;
  const reason =
    answer === dropWithReasonLabel
      ? await vscode.window.showInputBox({
          title: message,
          prompt: 'Why? It is remembered, and shown to models about similar changes. Escape drops nothing.',
          ignoreFocusOut: true,
        })
      : '';
  if (reason === undefined) return undefined;
  return runDecision(context, chosenChanges === null ? 'Dropping the night' : 'Taking changes out', 'dropNight', {
    ...(chosenChanges === null ? { night: night.branch } : decisionParamsOf(night, chosenChanges)),
    ...(reason.trim() === '' ? {} : { reason: reason.trim() }),
  });
}

/** Squashes the branch of the newest night into one commit, once the person has confirmed. */
export async function squashNight(context: ClientContext): Promise<CommandOutcome | undefined> {
  const { night } = await context.feed.refresh();
  if (!night) return void showMessage(NO_NIGHT);
  if (!(await confirmDecision(composeSquashQuestion(night), 'Squash'))) return undefined;
  return runDecision(context, 'Squashing the night', 'squashNight', { night: night.branch });
}

/** Pushes the branch of the newest night and opens a pull request, once the person has confirmed. */
export async function openNightPullRequest(context: ClientContext): Promise<CommandOutcome | undefined> {
  const { night } = await context.feed.refresh();
  if (!night) return void showMessage(NO_NIGHT);
  if (!(await confirmDecision(composePullRequestQuestion(night), 'Push and Open'))) return undefined;
  return runDecision(context, 'Opening a pull request', 'nightPullRequest', { night: night.branch });
}

/**
 * True if the person wants to drop the whole night, false if they want to tick single changes. Undefined if they
 * cancel.
 */
async function askWhetherWhole(night: NightSummary, title: string): Promise<boolean | undefined> {
  const choices = listDropChoices(night);
  if (choices.length === 0) return void showMessage(NOTHING_LEFT);
  const choice = choices.length === 1 ? choices[0] : await vscode.window.showQuickPick(choices, { title });
  return choice?.isWhole;
}

/**
 * The open changes with these ids; if `ids` is undefined, those that the person ticks. Undefined if they cancel, or
 * tick none. `ticksByDefault`: true to tick the changes on the branch in advance.
 */
async function chooseChanges(
  night: NightSummary,
  ids: readonly string[] | undefined,
  title: string,
  ticksByDefault: boolean,
): Promise<readonly NightChangeState[] | undefined> {
  const { open = [] } = night;
  const requestedChanges = ids === undefined ? open : open.filter(({ id }) => ids.includes(id));
  if (requestedChanges.length === 0) return void showMessage(NOTHING_LEFT);
  if (ids !== undefined || requestedChanges.length === 1) return requestedChanges;
  const items = await vscode.window.showQuickPick(createChangeItems(open, ticksByDefault), {
    title,
    canPickMany: true,
    matchOnDescription: true,
    matchOnDetail: true,
    placeHolder: composeTickHint(night, open.length),
  });
  const chosenIds = new Set(items?.map(({ id }) => id));
  return chosenIds.size === 0 ? undefined : open.filter(({ id }) => chosenIds.has(id));
}

async function confirmDecision({ message, detail }: Question, confirmLabel: string): Promise<boolean> {
  return (await vscode.window.showWarningMessage(message, { modal: true, detail }, confirmLabel)) === confirmLabel;
}

/** Runs one decision with progress, and shows its outcome. */
async function runDecision(
  context: ClientContext,
  title: string,
  command: 'dropNight' | 'squashNight' | 'nightPullRequest',
  params: object,
): Promise<CommandOutcome | undefined> {
  const outcome = await runOnce('decide a night', () => withProgress(context, title, command, params));
  if (outcome) await showNightOutcome(context, outcome);
  return outcome;
}

/** Shows the outcome, and updates the report of the night if its page is open. */
async function showNightOutcome(context: ClientContext, outcome: CommandOutcome): Promise<void> {
  await context.feed.refresh();
  await refreshNightPage(context);
  const { address } = outcome;
  if (!outcome.ok) showFailure(outcome, context.output);
  else if (address === undefined) void showMessage(outcome.message);
  else void offerToOpen(outcome.message, address);
}

/** Shows the message with a button that opens the address in the browser. */
async function offerToOpen(message: string, address: string): Promise<void> {
  const openLabel = 'Open in Browser';
  if ((await showMessage(message, openLabel)) === openLabel)
    await vscode.env.openExternal(vscode.Uri.parse(address, true));
}
