// Runs the actions that a person chooses in the sidebar, most of them as commands of the extension. Paths in actions
// are relative to the folder of the sidebar.

import * as vscode from 'vscode';
import type { FromWebview } from '#protocol/webviewMessages';
import { showFileAt } from '../showAt.ts';

/** A message of the sidebar's page that asks for an action, not for data. */
export type SidebarAction = Exclude<FromWebview, { type: 'ready' | 'opportunities' }>;

/** Runs an action. `folder`: the folder of the sidebar; if it is null, actions on files do nothing. */
export async function runAction(action: SidebarAction, folder: vscode.Uri | null): Promise<void> {
  const uriOf = (path: string) => folder && vscode.Uri.joinPath(folder, path);
  const runCommand = (command: string, argument?: unknown) => vscode.commands.executeCommand(command, argument);
  switch (action.type) {
    case 'openOpportunity':
      return openPlace(uriOf(action.path), action);
    case 'openFile':
      return openPlace(uriOf(action.path), null);
    case 'improve':
      return void (await runCommand(
        'selfware.improve',
        action.opportunity === undefined ? {} : { opportunity: action.opportunity, again: action.again === true },
      ));
    case 'dismiss':
      return void (await runCommand('selfware.dismiss', {
        uri: uriOf(action.path)?.toString(),
        opportunity: action.opportunity,
        rule: action.rule,
      }));
    case 'review':
      return void (await runCommand('selfware.reviewProposal', { proposal: action.proposal }));
    case 'apply':
      return void (await runCommand('selfware.applyAll', { proposal: action.proposal }));
    case 'reject':
    case 'keep':
      return void (await runCommand(`selfware.${action.type}`, { proposal: action.proposal }));
    case 'commit':
      return void (await runCommand(
        'selfware.commit',
        action.proposal === undefined ? {} : { changes: [action.proposal], proposal: action.proposal },
      ));
    case 'rollback':
      return void (await runCommand('selfware.rollback', { checkpoint: action.checkpoint }));
    case 'forgetLesson':
      return void (await runCommand('selfware.forgetLesson', { lesson: action.lesson }));
    case 'readRules':
    case 'keepRulesOff':
    case 'decideRule':
    case 'inbox': {
      const { type, ...parameters } = action;
      return void (await runCommand(`selfware.${type}`, parameters));
    }
    case 'acceptNight':
    case 'dropNight':
    case 'requests': {
      const { type, ...parameters } = action;
      return void (await runCommand(`selfware.${type}`, parameters));
    }
    case 'installComponent':
      return void (await runCommand('selfware.installComponent', { component: action.component }));
    case 'chooseFolder':
      return void (await runCommand('selfware.chooseFolder', { uri: action.uri }));
    case 'openRule':
      return void (await runCommand('selfware.openRuleDocs', { rule: action.rule }));
    case 'searchFurther':
      return void (await runCommand('selfware.searchFurther', action.kind === undefined ? {} : { kind: action.kind }));
    case 'judge':
    case 'index':
    case 'setUpTests':
    case 'pauseIndexing':
    case 'resumeIndexing':
    case 'stop':
    case 'resume':
    case 'runOvernight':
    case 'wishes':
    case 'showNight':
    case 'continueNight':
    case 'endNight':
    case 'squashNight':
    case 'nightPullRequest':
    case 'askForChange':
    case 'showOutput':
    case 'openCharter':
      return void (await runCommand(`selfware.${action.type}`, {}));
    case 'openSettings':
      return void (await runCommand('workbench.action.openSettings', action.query));
    case 'manageTrust':
      return void (await runCommand('workbench.trust.manage'));
    case 'reloadWindow':
      return void (await runCommand('workbench.action.reloadWindow'));
    case 'initialiseRepository':
      return void (await runCommand('git.init'));
    case 'openSourceControl':
      return void (await runCommand('workbench.view.scm'));
    case 'openTerminal':
      return void (await runCommand('workbench.action.terminal.new'));
    case 'openFolder':
      return void (await runCommand('vscode.openFolder'));
  }
}

/** Opens a file at a line and column; without `place`, at the position where VS Code last showed it. */
async function openPlace(
  uri: vscode.Uri | null,
  place: { readonly line: number; readonly column?: number } | null,
): Promise<void> {
  if (!uri) return;
  if (place) await showFileAt(uri, place.line, place.column);
  else await vscode.window.showTextDocument(uri);
}
