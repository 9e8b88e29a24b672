// Connects every command of the extension with its handler. Buttons, code lenses, the sidebar and the palette all run
// these handlers.

import * as vscode from 'vscode';
import { openWalkthrough } from './status/contextKeys.ts';
import { openCharter } from './charter.ts';
import type { CommandId } from './commandTable.ts';
import type { ClientContext } from './context.ts';
import { commitChanges, judgeChanges, keepChange } from './changes.ts';
import { withErrorBoundary, showMessage, showFailure } from './messages.ts';
import { dismiss } from './dismiss.ts';
import { chooseFolder, folderOfSidebar, ensureFolder } from './folders.ts';
import { fixAll } from './fixAll.ts';
import { checkSetUp, chooseBaseline, verifyChange, verifyLedger } from './reports.ts';
import { checkDependencies } from './dependencies/outdated.ts';
import { setUpTests } from './setUpTests.ts';
import { repeatEdit } from './learned/repeatEdit.ts';
import { decideInboxEntry } from './learned/inbox.ts';
import { decideRuleFile, decideRule, readRules } from './learned/rules.ts';
import { forgetLesson } from './learned/forgetLesson.ts';
import { undismiss } from './undismiss.ts';
import { judgeBranch } from './judgeBranch.ts';
import { searchFurther } from './searchFurther.ts';
import { editWishes } from './nights/wishes.ts';
import { acceptNight, dropNight, openNightPullRequest, squashNight } from './nights/decideNight.ts';
import { continueNight, endNight, showNight } from './nights/nightCommands.ts';
import { askForChange } from './requests/askForChange.ts';
import { handleRequest } from './requests/requestActions.ts';
import { runOvernight } from './nights/runOvernight.ts';
import { forgetModelKey, setModelKey } from './models/modelKeys.ts';
import { installComponent } from './models/installComponent.ts';
import { withdrawConsent } from './models/withdrawConsent.ts';
import { improveWithModel } from './models/improveWithModel.ts';
import { improve, improveThis } from './improve.ts';
import { runOnce } from './runOnce.ts';
import { pickCheckpoint, pickProposal } from './pick.ts';
import {
  findActiveProposal,
  applyProposal,
  discardEdits,
  runIfSeparable,
  openNextProposal,
  rejectProposal,
  reviewProposal,
  skipHunks,
} from './review/decide.ts';
import { openCounterexample } from './review/counterexample.ts';
import { showEvidence, showVerdicts, showReasonHover } from './review/evidence.ts';
import { previewAll } from './review/refactorPreview.ts';
import { findHunksOfActiveFile, findActiveHunk } from './review/openReview.ts';
import { openRuleDocs } from './ruleDocs.ts';
import { openSearch } from './searchPick.ts';
import { showStatusMenu } from './status/statusMenu.ts';
import { hasRunningWork, composeStopQuestion } from './stopText.ts';

/** Arguments that a button passes to a command; the palette passes none. */
export interface CommandArguments {
  readonly opportunity?: string;
  /** True to request the change again although it was turned down before. */
  readonly again?: boolean;
  readonly proposal?: string;
  readonly hunk?: number;
  readonly hunks?: readonly number[];
  readonly checkpoint?: string;
  readonly reason?: string;
  readonly rule?: string;
  readonly uri?: string;
  readonly kind?: string;
  readonly query?: string;
  readonly lesson?: string;
  readonly item?: string;
  readonly path?: string;
  readonly hash?: string;
  readonly text?: string;
  readonly verdict?: string;
  readonly component?: string;
  readonly request?: string;
  readonly task?: string;
  readonly action?: string;
  readonly changes?: readonly string[];
  readonly branch?: string;
  readonly base?: string;
}

/**
 * Runs a command. `argument`: what one of Selfware's buttons passed; empty if no button did. `menu`: all arguments that
 * VS Code passed, resources included.
 */
type Handler = (
  context: ClientContext,
  argument: CommandArguments,
  menu: readonly unknown[],
) => Promise<unknown> | unknown;

const handlers: Readonly<Record<CommandId, Handler>> = {
  'selfware.improve': async (context, { opportunity, again }, menu) =>
    (await ensureFolder(context, menu, 'Improve')) ? improve(context, opportunity, again) : undefined,
  'selfware.improveWithModel': async (context, { opportunity }, menu) =>
    (await ensureFolder(context, menu, 'Improve with a Model')) ? improveWithModel(context, opportunity) : undefined,
  'selfware.askForChange': async (context, { text }, menu) =>
    (await ensureFolder(context, menu, 'Ask for a Change')) ? askForChange(context, text) : undefined,
  'selfware.requests': async (context, { request, task, action }, menu) =>
    (await ensureFolder(context, menu, 'Requests')) ? handleRequest(context, { request, task, action }) : undefined,
  'selfware.setModelKey': (context) => setModelKey(context),
  'selfware.forgetModelKey': (context) => forgetModelKey(context),
  'selfware.withdrawConsent': async (context, _argument, menu) =>
    (await ensureFolder(context, menu, 'Withdraw Consent to Send Code')) ? withdrawConsent(context) : undefined,
  'selfware.installComponent': (context, { component }) => installComponent(context, component),
  'selfware.index': (context) => runQuietly(context, 'index'),
  'selfware.pauseIndexing': (context) => runQuietly(context, 'pauseIndexing'),
  'selfware.resumeIndexing': (context) => runQuietly(context, 'resumeIndexing'),
  'selfware.cancelIndexing': (context) => runQuietly(context, 'cancelIndexing'),
  'selfware.search': (context, { query }) => openSearch(context, query),
  'selfware.showSidebar': () => vscode.commands.executeCommand('selfware.sidebar.focus'),
  'selfware.reviewProposal': async (context, { proposal }) => {
    const id = proposal ?? (await pickProposal(context));
    return id && reviewProposal(context, id);
  },
  'selfware.applyAll': (context, { proposal, hunks }) => applyProposal(context, proposal, hunks),
  'selfware.reject': (context, { proposal, reason, kind }) =>
    rejectProposal(context, proposal, {
      ...(reason === undefined ? {} : { reason }),
      ...(kind === undefined ? {} : { kind }),
    }),
  'selfware.applyReview': (context) => applyProposal(context, undefined),
  'selfware.rejectReview': (context) => rejectProposal(context, undefined),
  'selfware.applyHunk': async (context, { proposal, hunk }) => {
    const chosenHunk = hunk ?? (await findActiveHunk(context.reviews));
    return chosenHunk === null
      ? showMessage('Put the cursor on a hunk of the proposal first.')
      : runIfSeparable(context, proposal, [chosenHunk], (id) => applyProposal(context, id, [chosenHunk]));
  },
  'selfware.skipHunk': async (context, { proposal, hunk }) => {
    const chosenHunk = hunk ?? (await findActiveHunk(context.reviews));
    return chosenHunk === null
      ? showMessage('Put the cursor on a hunk of the proposal first.')
      : runIfSeparable(context, proposal, [chosenHunk], (id) => skipHunks(context, id, [chosenHunk]));
  },
  'selfware.applyFile': async (context, { proposal, hunks }) => {
    const chosenHunks = hunks ?? (await findHunksOfActiveFile(context.reviews));
    return chosenHunks === null
      ? showMessage('Put the cursor in a file of the proposal first.')
      : runIfSeparable(context, proposal, chosenHunks, (id) => applyProposal(context, id, chosenHunks));
  },
  'selfware.skipFile': async (context, { proposal, hunks }) => {
    const chosenHunks = hunks ?? (await findHunksOfActiveFile(context.reviews));
    return chosenHunks === null
      ? showMessage('Put the cursor in a file of the proposal first.')
      : runIfSeparable(context, proposal, chosenHunks, (id) => skipHunks(context, id, chosenHunks));
  },
  'selfware.nextProposal': (context) => openNextProposal(context),
  'selfware.previousProposal': (context) => openNextProposal(context, -1),
  'selfware.why': async (context, { proposal, hunk }) => {
    const id = await findActiveProposal(context, proposal);
    return (
      id &&
      showReasonHover(
        context,
        id,
        hunk ?? (proposal === undefined ? ((await findActiveHunk(context.reviews)) ?? undefined) : undefined),
      )
    );
  },
  'selfware.evidence': async (context, { proposal }) => {
    const id = await findActiveProposal(context, proposal);
    return id && showEvidence(context, id);
  },
  'selfware.adoptTest': async (context, { proposal }) => {
    const id = await findActiveProposal(context, proposal);
    return id && openCounterexample(context, id);
  },
  'selfware.discardEdits': (context, { proposal }) => discardEdits(context, proposal),
  'selfware.previewAll': (context) => previewAll(context),
  'selfware.showVerdicts': async (context, { proposal }) => {
    const id = await findActiveProposal(context, proposal);
    return id && showVerdicts(context, id);
  },
  'selfware.improveThis': (context, _argument, menu) => improveThis(context, menu),
  'selfware.judge': (context) => judgeChanges(context),
  'selfware.keep': (context, { proposal, reason }) => keepChange(context, proposal, reason),
  'selfware.commit': (context, argument) => commitChanges(context, argument),
  'selfware.fixAll': async (context, _argument, menu) =>
    (await ensureFolder(context, menu, 'Fix All Safe')) ? fixAll(context) : undefined,
  'selfware.dismiss': (context, argument) => dismiss(context, argument),
  'selfware.undismiss': (context, { opportunity }) => undismiss(context, opportunity),
  'selfware.forgetLesson': (context, { lesson }) => forgetLesson(context, lesson),
  'selfware.inbox': (context, argument) => decideInboxEntry(context, argument),
  'selfware.readRules': (context, { path }) => readRules(context, path),
  'selfware.acceptRules': (context) => decideRuleFile(context, 'accepted', {}),
  'selfware.keepRulesOff': (context, argument) => decideRuleFile(context, 'refused', argument),
  'selfware.decideRule': (context, { rule, text, verdict }) =>
    rule === undefined || text === undefined || (verdict !== 'accepted' && verdict !== 'refused')
      ? undefined
      : decideRule(context, { rule, text, verdict }),
  'selfware.baseline': async (context, { kind }, menu) =>
    (await ensureFolder(context, menu, 'Baseline')) ? chooseBaseline(context, kind) : undefined,
  'selfware.verifyLedger': (context) => verifyLedger(context),
  'selfware.verifyChange': async (context, { proposal, checkpoint }) => {
    const change = proposal ?? checkpoint ?? (await pickCheckpoint(context, 'verify'));
    return change && verifyChange(context, change);
  },
  'selfware.setUpTests': async (context, _argument, menu) =>
    (await ensureFolder(context, menu, 'Set Up Tests')) ? setUpTests(context) : undefined,
  'selfware.outdated': async (context, _argument, menu) =>
    (await ensureFolder(context, menu, 'Check for Outdated Dependencies')) ? checkDependencies(context) : undefined,
  'selfware.searchFurther': async (context, { kind, uri }, menu) =>
    (await ensureFolder(context, menu, 'Find Missing Tests or Faults')) ? searchFurther(context, kind, uri) : undefined,
  'selfware.repeatEdit': async (context, { kind }, menu) =>
    (await ensureFolder(context, menu, 'Repeat an Edit')) ? repeatEdit(context, kind) : undefined,
  'selfware.judgeBranch': async (context, { base }, menu) =>
    (await ensureFolder(context, menu, 'Judge This Branch')) ? judgeBranch(context, base) : undefined,
  'selfware.runOvernight': async (context, _argument, menu) =>
    (await ensureFolder(context, menu, 'Run Overnight')) ? runOvernight(context) : undefined,
  'selfware.wishes': async (context, _argument, menu) =>
    (await ensureFolder(context, menu, 'Wishes for the Night')) ? editWishes(context) : undefined,
  'selfware.showNight': async (context, _argument, menu) =>
    (await ensureFolder(context, menu, 'Last Night')) ? showNight(context) : undefined,
  'selfware.acceptNight': async (context, { changes }, menu) =>
    (await ensureFolder(context, menu, "Take the Night's Changes")) ? acceptNight(context, changes) : undefined,
  'selfware.continueNight': async (context, _argument, menu) =>
    (await ensureFolder(context, menu, 'Continue the Night')) ? continueNight(context) : undefined,
  'selfware.endNight': async (context, _argument, menu) =>
    (await ensureFolder(context, menu, 'End the Night')) ? endNight(context) : undefined,
  'selfware.dropNight': async (context, { changes }, menu) =>
    (await ensureFolder(context, menu, "Drop the Night's Changes")) ? dropNight(context, changes) : undefined,
  'selfware.squashNight': async (context, _argument, menu) =>
    (await ensureFolder(context, menu, "Squash the Night's Changes")) ? squashNight(context) : undefined,
  'selfware.nightPullRequest': async (context, _argument, menu) =>
    (await ensureFolder(context, menu, 'Open a Pull Request for the Night'))
      ? openNightPullRequest(context)
      : undefined,
  'selfware.doctor': (context) => checkSetUp(context),
  'selfware.rollback': async (context, { checkpoint }) => {
    const id = checkpoint ?? (await pickCheckpoint(context, 'rollBack'));
    return id && runOnce(`roll back ${id}`, () => rollBack(context, id));
  },
  'selfware.stop': (context) => stop(context),
  'selfware.resume': (context) => runQuietly(context, 'resume'),
  'selfware.chooseFolder': (context, { uri }) => chooseFolder(context, uri),
  'selfware.openCharter': async (context, _argument, menu) =>
    (await ensureFolder(context, menu, 'Open the Charter'))
      ? openCharter(folderOfSidebar(context.feed), context.extensionUri)
      : undefined,
  'selfware.openSettings': () =>
    vscode.commands.executeCommand('workbench.action.openSettings', '@ext:selfware.selfware'),
  'selfware.getStarted': ({ feed }) => openWalkthrough(feed),
  'selfware.showMenu': (context) => showStatusMenu(context),
  'selfware.restartServer': ({ server }) => server.restart(),
  'selfware.showOutput': ({ output }) => output.show(),
  'selfware.openRuleDocs': ({ extensionUri }, argument) => openRuleDocs(extensionUri, argument),
};

/**
 * Registers all commands with the same error handling. Menus of VS Code pass resources, which some handlers read from
 * `menu`.
 */
export function registerCommands(context: ClientContext): vscode.Disposable {
  return vscode.Disposable.from(
    ...Object.entries(handlers).map(([id, handler]) =>
      vscode.commands.registerCommand(id, (...menu: unknown[]) =>
        withErrorBoundary(context.output, () => handler(context, parseArguments(menu[0]), menu)),
      ),
    ),
  );
}

/** The arguments from one of Selfware's buttons; empty for a resource from a menu of VS Code, and for no argument. */
function parseArguments(value: unknown): CommandArguments {
  return value !== null && typeof value === 'object' && !(value instanceof vscode.Uri)
    ? (value as CommandArguments)
    : {};
}

/** Rolls back the change of a checkpoint, and shows the outcome. */
async function rollBack(context: ClientContext, checkpoint: string) {
  const outcome = await context.server.execute('rollback', { checkpoint });
  await context.feed.refresh();
  if (outcome.ok) void showMessage(outcome.message);
  else showFailure(outcome, context.output);
  return outcome;
}

/**
 * Switches Selfware off until Resume. If work is running, asks first. Does nothing if the person declines, or if that
 * work has ended before they answer.
 */
async function stop(context: ClientContext) {
  const stopQuestion = composeStopQuestion(await context.feed.refresh(), Date.now());
  if (stopQuestion) {
    const stopLabel = 'Stop';
    if (
      (await vscode.window.showWarningMessage(
        stopQuestion.message,
        { modal: true, detail: stopQuestion.detail },
        stopLabel,
      )) !== stopLabel
    )
      return undefined;
    if (!hasRunningWork(await context.feed.refresh()))
      return void showMessage('It has already ended; nothing was stopped.');
  }
  return runQuietly(context, 'stop');
}

/** Runs a command whose progress is in the status bar and the sidebar, so that only errors show a notification. */
async function runQuietly(
  { server, feed, output }: ClientContext,
  command: 'index' | 'stop' | 'resume' | 'pauseIndexing' | 'resumeIndexing' | 'cancelIndexing',
) {
  const outcome = await server.execute(command);
  await feed.refresh();
  if (outcome.ok) vscode.window.setStatusBarMessage(outcome.message, 8000);
  else showFailure(outcome, output);
  return outcome;
}
