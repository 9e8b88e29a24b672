// "Ask for a Change…": a person says in words what they want. A model writes an acceptance test, which the person reads
// first, and then the change, which opens for review. Until then, the request waits in the sidebar, unless it is
// dropped.

import * as vscode from 'vscode';
import type { RequestState } from '#protocol/requests';
import type { CommandOutcome } from '#protocol/review';
import type { ClientContext } from '../context.ts';
import { offerTrust } from '../improve.ts';
import { showFailure } from '../messages.ts';
import { askModel } from '../models/improveWithModel.ts';
import { recallLastProposer, pickProposer } from '../models/pickProposer.ts';
import { confirmAcceptanceTest } from '../nights/acceptance.ts';
import { runOnce } from '../runOnce.ts';
import { askForWords } from './askForWords.ts';

const TITLE = 'Ask for a Change';

/** Options for continuing a request; all are false by default. */
export interface ContinueOptions {
  /** True to ask the person for the proposer, although one was chosen before. */
  readonly choosesProposer?: boolean;
  /** True to reset the count of failed attempts. */
  readonly again?: boolean;
  /** True to have another acceptance test written, although the person has already decided on one. */
  readonly asksForOtherTest?: boolean;
}

/**
 * Asks for the words, files them as a request, and continues it. `value`: the text with which the question begins.
 * Undefined if the person cancels.
 */
export async function askForChange(context: ClientContext, value = ''): Promise<CommandOutcome | undefined> {
  if (!vscode.workspace.isTrusted) {
    await offerTrust();
    return undefined;
  }
  const answer = await askForWords(TITLE, recallLastProposer(context) ?? null, value);
  if (answer === undefined) return undefined;
  if (answer === 'otherProposer') {
    await chooseProposer(context, true);
    return askForChange(context, value);
  }
  const request = await addRequest(context, answer.words);
  if (!request) return undefined;
  await answer.close?.();
  return continueRequest(context, request);
}

/**
 * Files the words as a request, and returns it; returns the existing one if a request with the same words already
 * waits. Undefined after an error, which is shown.
 */
export async function addRequest(context: ClientContext, words: string): Promise<RequestState | undefined> {
  const outcome = await context.server.execute('wishes', { add: words });
  const wish = outcome.wishes?.find(({ id }) => id === outcome.wish);
  if (!outcome.ok || !wish) {
    showFailure(outcome, context.output);
    return undefined;
  }
  await context.feed.refresh();
  return wish;
}

/**
 * Agrees on the acceptance test if nobody has decided on one, then asks for the change and opens its review. If the
 * person cancels a step, the request waits in the sidebar.
 */
export async function continueRequest(
  context: ClientContext,
  request: RequestState,
  { choosesProposer = false, again = false, asksForOtherTest = false }: ContinueOptions = {},
): Promise<CommandOutcome | undefined> {
  const outcome = await runOnce(`request ${request.id}`, async () => {
    const proposer = await chooseProposer(context, choosesProposer);
    if (proposer === undefined) return undefined;
    const asksForTest = asksForOtherTest || request.test === 'open';
    if (asksForTest && !(await confirmAcceptanceTest(context, { proposer, request, again: asksForOtherTest || again })))
      return undefined;
    return askModel(context, { proposer, wish: request.id, again }, TITLE);
  });
  const { requests = [] } = await context.feed.refresh();
  if (!outcome && requests.some(({ id }) => id === request.id))
    vscode.window.setStatusBarMessage('Selfware: the request waits in the sidebar.', 8000);
  return outcome;
}

/**
 * The proposer that was chosen last. If there is none, or if `choosesProposer` is true, asks the person. Undefined if
 * they cancel, or if the list fails.
 */
async function chooseProposer(context: ClientContext, choosesProposer: boolean): Promise<string | undefined> {
  const lastChosen = recallLastProposer(context);
  if (lastChosen !== undefined && !choosesProposer) return lastChosen;
  const available = await context.server.execute('improveWithModel', {});
  if (available.ok && available.models) return pickProposer(context, available.models);
  showFailure(available, context.output);
  return undefined;
}
