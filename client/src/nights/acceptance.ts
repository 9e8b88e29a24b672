// Before "Run Overnight…" starts: shows the acceptance test of each wish that has none, and asks about it.

import * as vscode from 'vscode';
import type { AcceptanceParams, DecideAcceptanceParams, ShownAcceptance } from '#protocol/nights';
import type { ClientContext } from '../context.ts';
import { showFailure, showMessage } from '../messages.ts';
import { withProgress } from '../server/withProgress.ts';
import { acceptanceDetail } from './acceptanceText.ts';

const [ACCEPT, EDIT, NONE] = ['Accept', 'Edit', 'No Test'];

/**
 * Asks about each test in turn. False if the run must not start, because the person has cancelled or a request has
 * failed. Escape in a question ends the questions and lets the run start.
 */
export async function agreeOnTests(context: ClientContext, proposer: string): Promise<boolean> {
  const without: string[] = [];
  let agreed: string | undefined;
  for (;;) {
    const params: AcceptanceParams = { proposer, without, ...(agreed === undefined ? {} : { agreed }) };
    const outcome = await withProgress(context, 'Writing acceptance tests', 'acceptanceTest', params);
    if (!outcome) return false;
    if (outcome.consent && agreed === undefined) {
      const { destination, question, detail } = outcome.consent;
      const send = 'Send Code';
      if ((await vscode.window.showWarningMessage(question, { modal: true, detail }, send)) !== send) return false;
      agreed = destination;
      continue;
    }
    if (!outcome.ok) {
      showFailure(outcome, context.output);
      return false;
    }
    const { acceptance } = outcome;
    if (!acceptance) return true;
    without.push(acceptance.wish);
    if (acceptance.refused !== null) void showMessage(outcome.message);
    else if (!(await askAbout(context, acceptance))) return true;
  }
}

/** Asks about one test until a decision on it is stored. False if the person wants no further questions. */
async function askAbout(context: ClientContext, acceptance: ShownAcceptance): Promise<boolean> {
  const title = 'Is the wish done when this test passes?';
  for (let texts = acceptance.files; ; ) {
    const detail = acceptanceDetail(acceptance, texts);
    const answer = await vscode.window.showInformationMessage(title, { modal: true, detail }, ACCEPT, EDIT, NONE);
    if (answer === undefined) return false;
    if (answer === EDIT) {
      texts = await editTexts(texts);
      continue;
    }
    const params: DecideAcceptanceParams = { wish: acceptance.wish, ...(answer === ACCEPT ? { texts } : {}) };
    const outcome = await withProgress(context, 'Running the acceptance test', 'decideAcceptance', params);
    if (outcome?.ok) return true;
    if (outcome) showFailure(outcome, context.output);
  }
}

/** Opens each text in the editor. Returns the texts as the person leaves them. */
async function editTexts(texts: ShownAcceptance['files']): Promise<ShownAcceptance['files']> {
  const changed: ShownAcceptance['files'][number][] = [];
  for (const { path, before, after } of texts) {
    const document = await vscode.workspace.openTextDocument({ content: after, language: languageOf(path) });
    await vscode.window.showTextDocument(document, { preview: false });
    const doneLabel = 'Done';
    const answer = await vscode.window.showInformationMessage(`Change ${path}, then choose Done.`, doneLabel);
    changed.push({ path, before, after: answer === doneLabel ? document.getText() : after });
  }
  return changed;
}

function languageOf(path: string): string {
  return /\.[cm]?tsx?$/.test(path) ? 'typescript' : /\.[cm]?jsx?$/.test(path) ? 'javascript' : 'plaintext';
}
