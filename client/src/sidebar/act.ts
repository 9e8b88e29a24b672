// Runs a person's actions in the sidebar. Every button is also a palette command. Paths are relative to the folder in
// the state.

import * as vscode from 'vscode';
import type { FromWebview } from '#protocol/webviewMessages';

export type Wish = Exclude<FromWebview, { type: 'ready' | 'opportunities' }>;

export async function act(wish: Wish, folder: vscode.Uri | null): Promise<void> {
  const uriOf = (path: string) => folder && vscode.Uri.joinPath(folder, path);
  const run = (command: string, given?: unknown) => vscode.commands.executeCommand(command, given);
  switch (wish.type) {
    case 'openOpportunity':
      return openAt(uriOf(wish.path), wish.line);
    case 'openFile':
      return openAt(uriOf(wish.path), null);
    case 'improve':
      return void (await run(
        'selfware.improve',
        wish.opportunity === undefined ? {} : { opportunity: wish.opportunity, again: wish.again === true },
      ));
    case 'dismiss':
      return void (await run('selfware.dismiss', {
        uri: uriOf(wish.path)?.toString(),
        opportunity: wish.opportunity,
        rule: wish.rule,
      }));
    case 'review':
      return void (await run('selfware.reviewProposal', { proposal: wish.proposal }));
    case 'apply':
      return void (await run('selfware.applyAll', { proposal: wish.proposal }));
    case 'reject':
    case 'keep':
      return void (await run(`selfware.${wish.type}`, { proposal: wish.proposal }));
    case 'commit':
      return void (await run(
        'selfware.commit',
        wish.proposal === undefined ? {} : { changes: [wish.proposal], proposal: wish.proposal },
      ));
    case 'rollback':
      return void (await run('selfware.rollback', { checkpoint: wish.checkpoint }));
    case 'chooseFolder':
      return void (await run('selfware.chooseFolder', { uri: wish.uri }));
    case 'openRule':
      return void (await run('selfware.openRuleDocs', { rule: wish.rule }));
    case 'judge':
    case 'index':
    case 'setUpTests':
    case 'pauseIndexing':
    case 'resumeIndexing':
    case 'stop':
    case 'resume':
    case 'runOvernight':
    case 'showNight':
    case 'acceptNight':
    case 'dropNight':
    case 'showOutput':
    case 'openCharter':
      return void (await run(`selfware.${wish.type}`, {}));
    case 'openSettings':
      return void (await run('workbench.action.openSettings', wish.query));
    case 'manageTrust':
      return void (await run('workbench.trust.manage'));
    case 'reloadWindow':
      return void (await run('workbench.action.reloadWindow'));
    case 'initialiseRepository':
      return void (await run('git.init'));
    case 'openSourceControl':
      return void (await run('workbench.view.scm'));
    case 'openFolder':
      return void (await run('vscode.openFolder'));
  }
}

/** `line` is 1-based; null = the previous position in the file. */
async function openAt(uri: vscode.Uri | null, line: number | null): Promise<void> {
  if (!uri) return;
  const at = line === null ? null : new vscode.Position(Math.max(0, line - 1), 0);
  await vscode.window.showTextDocument(uri, at ? { selection: new vscode.Range(at, at) } : {});
}
