// Lets a person decide on rules for models and agents. Repository rules are opened as a read-only text, which the
// person accepts or keeps off; rules that an agent has written are accepted or refused in the sidebar.

import * as vscode from 'vscode';
import type { RuleFileEntry, DecideRuleParams } from '#protocol/rules';
import type { CommandOutcome } from '#protocol/review';
import type { ClientContext } from '../context.ts';
import { showBriefly, showFailure, showMessage } from '../messages.ts';
import type { Server } from '../server/languageClient.ts';
import { parseRulesUri, rulesScheme, createRulesUri, type RulesPlace } from './rulesUri.ts';

type Verdict = 'accepted' | 'refused';

/** Registers the read-only texts of repository rules, and the code lenses above their first line. */
export function registerRulesContent(server: Server): vscode.Disposable {
  const contentProvider: vscode.TextDocumentContentProvider = {
    provideTextDocumentContent: async (uri) => {
      const place = parseRulesUri(uri);
      const rules = place && (await server.broughtRules(place));
      return rules?.hash === place?.hash && rules
        ? rules.text
        : 'This text is gone or has changed since it was opened. Open it again from the sidebar.';
    },
  };
  const lensProvider: vscode.CodeLensProvider = {
    provideCodeLenses: () => [
      createFirstLineLens('Accept: models and agents that work here get this text', 'selfware.acceptRules'),
      createFirstLineLens('Keep off', 'selfware.keepRulesOff'),
    ],
  };
  return vscode.Disposable.from(
    vscode.workspace.registerTextDocumentContentProvider(rulesScheme, contentProvider),
    vscode.languages.registerCodeLensProvider({ scheme: rulesScheme }, lensProvider),
  );
}

function createFirstLineLens(title: string, command: string): vscode.CodeLens {
  return new vscode.CodeLens(new vscode.Range(0, 0, 0, 0), { title, command });
}

/**
 * Opens a file of repository rules; without a path, the person chooses it. Closes tabs with older texts of the file.
 */
export async function readRules({ server, feed }: ClientContext, presetPath?: string): Promise<void> {
  const state = await feed.refresh();
  const path = presetPath ?? (await pickFile(state?.brought ?? []));
  if (!state || path === undefined) return;
  const { folder } = state;
  const rules = await server.broughtRules({ folder, path });
  if (!rules) return void showMessage(`${path} is not a file of rules here.`);
  const place = { folder, path, hash: rules.hash };
  const document = await vscode.workspace.openTextDocument(createRulesUri(place));
  await vscode.window.showTextDocument(document, { preview: false });
  await closeTexts(place, ({ hash }) => hash !== place.hash);
}

/** The path of a waiting file; asks only if there are several. Undefined if there is none or the person cancels. */
async function pickFile(files: readonly RuleFileEntry[]): Promise<string | undefined> {
  const [firstFile] = files;
  if (!firstFile) {
    void showMessage('No rules of this repository wait for you.');
    return undefined;
  }
  if (files.length === 1) return firstFile.path;
  return vscode.window.showQuickPick(
    files.map(({ path }) => path),
    { title: 'Read Rules of This Repository' },
  );
}

/**
 * Stores the decision on the text that is open or that the sidebar names. Undefined if there is none, or if it has
 * changed.
 */
export async function decideRuleFile(
  context: ClientContext,
  verdict: Verdict,
  preset: { readonly path?: string; readonly hash?: string },
): Promise<CommandOutcome | undefined> {
  const place = findRulesPlace(context, preset);
  if (!place) return void showMessage('Open the rules from the sidebar first.');
  const broughtRules = await context.server.broughtRules(place);
  if (broughtRules && broughtRules.hash !== place.hash) return showCurrentText(context, place);
  const outcome = await sendDecision(context, 'decideBrought', { ...place, verdict });
  if (outcome.ok) await closeTexts(place);
  return outcome;
}

/**
 * Shows the current text instead of deciding on an outdated one. Says so in the status bar, because a notification
 * would still be there after the decision.
 */
async function showCurrentText(context: ClientContext, { path }: RulesPlace): Promise<undefined> {
  await readRules(context, path);
  showBriefly(`${path} has changed since it was shown. This is its text now.`);
}

/** The text that the argument names, otherwise the text in the active editor; null if it is not a text of rules. */
function findRulesPlace(
  { feed }: ClientContext,
  { path, hash }: { readonly path?: string; readonly hash?: string },
): RulesPlace | null {
  const folder = feed.current?.folder;
  if (path !== undefined && hash !== undefined && folder !== undefined) return { folder, path, hash };
  const uri = vscode.window.activeTextEditor?.document.uri;
  return uri ? parseRulesUri(uri) : null;
}

/**
 * Closes the tabs with texts of a file for which `shouldClose` returns true, so that nobody accepts an outdated text.
 */
async function closeTexts(
  { folder, path }: RulesPlace,
  shouldClose: (place: RulesPlace) => boolean = () => true,
): Promise<void> {
  const tabs = vscode.window.tabGroups.all
    .flatMap((group) => group.tabs)
    .filter(({ input }) => {
      const place = input instanceof vscode.TabInputText ? parseRulesUri(input.uri) : null;
      return place !== null && place.folder === folder && place.path === path && shouldClose(place);
    });
  await vscode.window.tabGroups.close(tabs);
}

/**
 * Switches on a rule that an agent has written, or keeps it off. Decides nothing if its text has changed since it was
 * shown.
 */
export async function decideRule(
  context: ClientContext,
  params: DecideRuleParams,
): Promise<CommandOutcome | undefined> {
  const { rules = [] } = await context.feed.refresh();
  if (rules.some(({ id, text }) => id === params.rule && text === params.text))
    return sendDecision(context, 'decideRule', params);
  showBriefly('This rule has changed since it was shown, so nothing was decided.');
  return undefined;
}

/** Sends the decision to the server, and shows the outcome. */
async function sendDecision(
  { server, feed, output }: ClientContext,
  command: 'decideBrought' | 'decideRule',
  params: object,
): Promise<CommandOutcome> {
  const outcome = await server.execute(command, params);
  await feed.refresh();
  if (outcome.ok) vscode.window.setStatusBarMessage(outcome.message, 8000);
  else showFailure(outcome, output);
  return outcome;
}
