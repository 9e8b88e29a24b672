// "Improve" and the search for missing tests: each lets the server propose and verify a change, then opens its review.
// Also has the dialogs that several commands show if the workspace is not trusted or has no git repository.

import * as vscode from 'vscode';
import type { CommandOutcome, ImproveParams } from '#protocol/review';
import type { ClientContext } from './context.ts';
import { showMessage, showNotice } from './messages.ts';
import { runOnce } from './runOnce.ts';
import { openReview } from './review/openReview.ts';
import { showEvidence } from './review/evidence.ts';
import { withProgress } from './server/withProgress.ts';

/**
 * Runs the command. Without an opportunity, the server takes the best one of the repository. `isRepeated`: true to
 * propose it even if it was refused before. Undefined if the person cancelled, if the same request is already running,
 * and in a workspace that is not trusted or has no git repository.
 */
export async function improve(
  context: ClientContext,
  opportunity?: string,
  isRepeated = false,
): Promise<CommandOutcome | undefined> {
  if (!vscode.workspace.isTrusted) {
    await offerTrust();
    return undefined;
  }
  return propose(
    context,
    opportunity === undefined ? {} : { opportunity, ...(isRepeated ? { again: isRepeated } : {}) },
  );
}

/**
 * Improves the best opportunity in the chosen files and folders of the Explorer or the Source Control view; otherwise
 * in the file of the active editor, or in the repository. Undefined in the same cases as `improve`.
 */
export async function improveThis(
  context: ClientContext,
  menu: readonly unknown[],
): Promise<CommandOutcome | undefined> {
  if (!vscode.workspace.isTrusted) {
    await offerTrust();
    return undefined;
  }
  const uris = [...new Set(menu.flatMap(collectUris).map((uri) => uri.toString()))];
  if (uris.length > 0) return propose(context, { uris });
  const editor = vscode.window.activeTextEditor;
  return propose(context, editor?.document.uri.scheme === 'file' ? { uris: [editor.document.uri.toString()] } : {});
}

/**
 * The URIs in an argument of a menu: the Explorer passes the clicked resource and the list of selected ones; Source
 * Control passes resource states, or groups of them.
 */
function collectUris(argument: unknown): vscode.Uri[] {
  if (argument instanceof vscode.Uri) return [argument];
  if (Array.isArray(argument)) return argument.flatMap(collectUris);
  if (argument === null || typeof argument !== 'object') return [];
  if ('resourceUri' in argument) return collectUris(argument.resourceUri);
  return 'resourceStates' in argument ? collectUris(argument.resourceStates) : [];
}

/** Runs one request for a proposal and shows its outcome; offers to initialise git if there is no repository. */
async function propose(context: ClientContext, params: ImproveParams): Promise<CommandOutcome | undefined> {
  if (context.feed.current?.doable.barrier === 'notARepository' && !context.feed.current.folders.length)
    return offerGit(context.feed.current.doable.improve);
  const outcome = await runOnce(`improve ${JSON.stringify(params)}`, () =>
    withProgress(context, 'Improve', 'improve', params),
  );
  return outcome && showProposed(context, outcome);
}

/**
 * Searches the whole folder for missing tests, and opens the first proposal of tests that passes its checks. Undefined
 * if the person cancelled, and if a search is already running.
 */
export async function proposeTest(context: ClientContext): Promise<CommandOutcome | undefined> {
  const outcome = await runOnce('propose a test', () =>
    withProgress(context, 'Looking for missing tests', 'proposeTest', {}),
  );
  return outcome && showProposed(context, outcome);
}

/** Opens the proposal for review, or says why there is none and offers next steps. */
async function showProposed(context: ClientContext, outcome: CommandOutcome): Promise<CommandOutcome> {
  await context.feed.refresh();
  if (outcome.review) context.reviews.put(outcome.review);
  if (outcome.ok && outcome.review) await openReview(outcome.review);
  else void offerNextStep(context, outcome);
  return outcome;
}

/** Shows why nothing can be reviewed, with buttons for the next steps, and runs the chosen one. */
async function offerNextStep(context: ClientContext, { message, review, again }: CommandOutcome): Promise<void> {
  const [evidenceLabel, retryLabel, searchLabel, modelLabel] = [
    'Show Evidence',
    'Try Again',
    'Find Missing Tests or Faults…',
    'Improve with a Model…',
  ];
  // If recipes have nothing to propose, further searches are offered, and a model unless AI features are off.
  const hasNothingToTry = !review && again === undefined;
  const choices = [
    ...(review?.verdicts.length ? [evidenceLabel] : []),
    ...(again === undefined ? [] : [retryLabel]),
    ...(hasNothingToTry && context.feed.current?.doable.canSearch ? [searchLabel] : []),
    ...(hasNothingToTry && !areAiFeaturesOff() ? [modelLabel] : []),
  ];
  const choice = await showMessage(message, ...choices);
  if (choice === evidenceLabel && review) await showEvidence(context, review.id);
  if (choice === searchLabel) await vscode.commands.executeCommand('selfware.searchFurther');
  if (choice === modelLabel) await vscode.commands.executeCommand('selfware.improveWithModel');
  if (choice === retryLabel && again !== undefined) await propose(context, { opportunity: again, again: true });
}

/** True if the person has switched AI features off. */
export function areAiFeaturesOff(): boolean {
  return vscode.workspace.getConfiguration('chat').get('disableAIFeatures') === true;
}

/** Changes need git, so this offers to initialise a repository instead of failing later. */
async function offerGit(reason: string): Promise<undefined> {
  const initialiseLabel = 'Initialise Repository';
  if ((await showNotice('warning', reason.replaceAll('`', ''), initialiseLabel)) === initialiseLabel)
    await vscode.commands.executeCommand('git.init');
  return undefined;
}

/** Explains why nothing can be changed in this workspace, and offers to manage its trust. */
export async function offerTrust(): Promise<void> {
  const manageLabel = 'Manage Workspace Trust';
  const choice = await vscode.window.showWarningMessage(
    'Selfware only indexes and analyses a workspace that you do not trust: verifying a change would run its scripts.',
    manageLabel,
  );
  if (choice) await vscode.commands.executeCommand('workbench.trust.manage');
}
