// Shows the acceptance tests of wishes (requests in words) and asks the person to accept, edit or drop them: before
// "Run Overnight…" starts, for each wish without a test; for "Ask for a Change…", for the one request.

import * as vscode from 'vscode';
import type { AcceptanceParams, DecideAcceptanceParams, ShownAcceptance } from '#protocol/nights';
import type { RequestState } from '#protocol/requests';
import type { CommandOutcome } from '#protocol/review';
import type { ClientContext } from '../context.ts';
import { showFailure, showMessage, showNotice } from '../messages.ts';
import { beginWriting, closeStoredText, writeInEditor } from '../requests/writeInEditor.ts';
import { withProgress } from '../server/withProgress.ts';
import { formatAcceptance } from './acceptanceText.ts';
import { withConsents } from '../models/consents.ts';
import { askToSendCode } from '../models/sendCode.ts';

const [ACCEPT, EDIT, NO_TEST] = ['Accept', 'Edit', 'No Test'];

/**
 * Asks about the test of each wish in turn. False if the run must not start, because the person has cancelled or a
 * request to the server has failed. Escape in a question ends the questions and lets the run start.
 */
export async function confirmAcceptanceTests(context: ClientContext, proposer: string): Promise<boolean> {
  const wishesWithoutTest: string[] = [];
  for (;;) {
    const outcome = await requestTest(context, 'Writing acceptance tests', { proposer, without: wishesWithoutTest });
    if (!outcome) return false;
    if (!outcome.ok) {
      showFailure(outcome, context.output);
      return false;
    }
    const { acceptance } = outcome;
    if (!acceptance) return true;
    wishesWithoutTest.push(acceptance.wish);
    if (acceptance.refused !== null) void showMessage(outcome.message);
    else if (!(await askForDecision(context, acceptance))) return true;
  }
}

/** Has a model write a test, after the person has agreed to every destination of code. Undefined if they decline. */
function requestTest(
  context: ClientContext,
  title: string,
  params: AcceptanceParams,
): Promise<CommandOutcome | undefined> {
  return withConsents(
    (agreed) =>
      withProgress(context, title, 'acceptanceTest', { ...params, ...(agreed === undefined ? {} : { agreed }) }),
    askToSendCode,
  );
}

/** The request whose test is written. */
export interface TestRequest {
  readonly proposer: string;
  readonly request: Pick<RequestState, 'id' | 'words'>;
  /** True to have the test written again, regardless of earlier attempts. */
  readonly again: boolean;
}

/**
 * Has the test of one request written, and asks about it. True once the person has decided. False if they cancel, and
 * if no test could be written; the sidebar then shows the request until they decide.
 */
export async function confirmAcceptanceTest(
  context: ClientContext,
  { proposer, request, again }: TestRequest,
): Promise<boolean> {
  const params = { proposer, wish: request.id, again };
  const outcome = await requestTest(context, 'Writing an acceptance test', params);
  if (!outcome) return false;
  const { acceptance } = outcome;
  if (!outcome.ok || !acceptance) {
    showFailure(outcome, context.output);
    return false;
  }
  if (acceptance.refused === null) return askForDecision(context, { ...acceptance, left: 0 });
  await context.feed.refresh();
  const optionsLabel = 'What Can I Do?';
  void showNotice('warning', outcome.message, optionsLabel).then((choice) =>
    choice === optionsLabel ? vscode.commands.executeCommand('selfware.requests', { request: request.id }) : undefined,
  );
  return false;
}

/**
 * Stores the decision on a test; the server runs the test once more before. Undefined if the person cancels. Shows no
 * error.
 */
export async function decideTest(
  context: ClientContext,
  params: DecideAcceptanceParams,
): Promise<CommandOutcome | undefined> {
  const outcome = await withProgress(context, 'Running the acceptance test', 'decideAcceptance', params);
  await context.feed.refresh();
  return outcome;
}

/** Asks about one test until a decision on it is stored. False if the person wants no further questions. */
async function askForDecision(context: ClientContext, acceptance: ShownAcceptance): Promise<boolean> {
  const title = 'Is the wish done when this test passes?';
  for (let texts = acceptance.files; ; ) {
    const detail = formatAcceptance(acceptance, texts);
    const answer = await vscode.window.showInformationMessage(title, { modal: true, detail }, ACCEPT, EDIT, NO_TEST);
    if (answer === undefined) return false;
    if (answer === EDIT) {
      texts = await editTexts(texts);
      continue;
    }
    const params: DecideAcceptanceParams = { wish: acceptance.wish, ...(answer === ACCEPT ? { texts } : {}) };
    const outcome = await decideTest(context, params);
    if (outcome?.ok) return true;
    if (outcome) showFailure(outcome, context.output);
  }
}

/**
 * Opens each text in the editor, one after the other. Returns the texts as edited; a text whose editing is cancelled is
 * unchanged.
 */
async function editTexts(texts: ShownAcceptance['files']): Promise<ShownAcceptance['files']> {
  const editedTexts: ShownAcceptance['files'][number][] = [];
  for (const { path, before, after } of texts) {
    const writing = await beginWriting(after, languageIdOf(path));
    const writtenText = await writeInEditor(writing, `Change ${path}, then choose Done.`);
    if (writtenText !== undefined) await closeStoredText(writing, writtenText);
    editedTexts.push({ path, before, after: writtenText ?? after });
  }
  return editedTexts;
}

/** The language of VS Code for a file with this path. */
export function languageIdOf(path: string): string {
  return /\.[cm]?tsx?$/.test(path) ? 'typescript' : /\.[cm]?jsx?$/.test(path) ? 'javascript' : 'plaintext';
}
